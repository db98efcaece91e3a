import type { Query } from '@carillon/sdk'
import { Type } from 'typebox'
import { defineTool, Facts, PostId, readOnly } from '../tool.ts'
import { cleanText } from '../words/third-party.ts'
import { writeTime } from '../words/times.ts'

const accountsMax = 40

export const getFigures = defineTool({
  name: 'get_figures',
  title: 'Figures of posts',
  description:
    'Likes, comments, shares and impressions: of one post by account, or of the whole workspace in a range of dates by account, with the best posts.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(
    {
      id: Type.Optional(PostId),
      from: Type.Optional(Type.String({ description: 'A date' })),
      to: Type.Optional(Type.String({ description: 'A date' })),
    },
    { additionalProperties: false },
  ),
  output: {
    total: Type.Optional(Facts),
    accounts: Type.Array(Facts),
    bestPosts: Type.Optional(Type.Array(Facts)),
  },
  async run({ id, from, to }, { desk: { carillon, workspace } }) {
    const at = (instant: string | null) => (instant === null ? 'never' : writeTime(instant, workspace.timezone))
    if (id !== undefined) {
      const { platforms } = await carillon.analytics.post(id)
      return {
        summary: `FIGURES of one post on ${platforms.length} accounts. A platform that reports none has zeros.`,
        accounts: platforms.slice(0, accountsMax).map(({ platform, targetName, status, engagement, collectedAt }) => ({
          platform,
          untrustedName: cleanText(targetName, { max: 60 }),
          status,
          ...engagement,
          read: at(collectedAt),
        })),
      }
    }
    const range: Pick<Query<'analytics.posts'>, 'from' | 'to'> = {
      ...(from !== undefined && { from }),
      ...(to !== undefined && { to }),
    }
    const [{ summary, groups = [] }, best] = await Promise.all([
      carillon.analytics.overview({ ...range, granularity: 'month', by: 'connection' }),
      carillon.analytics.posts({ ...range, limit: 5 }),
    ])
    return {
      summary: `FIGURES of ${groups.length} accounts. A platform that reports none has zeros.`,
      total: summary,
      accounts: groups
        .slice(0, accountsMax)
        .map(({ connection, published, failed, likes, comments, shares, impressions, clicks, saves, collectedAt }) => ({
          account: connection,
          published,
          failed,
          likes,
          comments,
          shares,
          impressions,
          clicks,
          saves,
          read: at(collectedAt),
        })),
      bestPosts: best.map(({ uploadId, excerpt, publishedAt, engagement }) => ({
        id: uploadId,
        at: at(publishedAt),
        ...engagement,
        untrustedExcerpt: cleanText(excerpt, { max: 80 }),
      })),
    }
  },
})
