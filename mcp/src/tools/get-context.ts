import type { Connection, PlatformInfo } from '@carillon/sdk'
import { Type } from 'typebox'
import { defineTool, Facts, readOnly } from '../tool.ts'
import { cleanText } from '../words/third-party.ts'
import { writeTime } from '../words/times.ts'

const accountsMax = 40

export const getContext = defineTool({
  name: 'get_context',
  title: 'Where am I',
  description:
    'The workspace, the time there, and the accounts with their slugs, limits and abilities. Call it first. Not for posts: use list_posts.',
  needs: 'read',
  hints: readOnly,
  input: Type.Object(
    {
      settingsOf: Type.Optional(Type.String({ description: 'A slug: adds the schema of its settings for perAccount' })),
      search: Type.Optional(Type.String({ description: 'Only accounts whose slug or name has this' })),
    },
    { additionalProperties: false },
  ),
  output: {
    workspace: Type.Object({ name: Type.String(), timezone: Type.String(), now: Type.String(), postsLeft: Type.Integer() }),
    accounts: Type.Array(Facts),
    settings: Type.Optional(Facts),
  },
  async run({ search = '', settingsOf }, { desk: { carillon, workspace, links } }) {
    const [connections, platforms, usage] = await Promise.all([
      carillon.workspaces.connections(workspace.id),
      carillon.platforms.list(),
      carillon.workspaces.usage(workspace.id),
    ])
    const wanted = connections.filter(({ slug, displayName }) =>
      `${slug} ${displayName}`.toLowerCase().includes(search.toLowerCase()),
    )
    const broken = wanted.filter(({ status }) => status === 'needs_reconnect' || status === 'disconnected').length
    const chosen = connections.find(({ slug }) => slug === settingsOf)
    const settings = platforms.find(({ platform }) => platform === chosen?.platform)?.settings
    const hiddenCount = Math.max(0, wanted.length - accountsMax)
    return {
      summary:
        `${wanted.length} accounts${search === '' ? '' : ` with "${cleanText(search, { max: 50 })}"`}, ${wanted.length - broken} of them can publish.` +
        (hiddenCount > 0 ? ` ${hiddenCount} are not shown: narrow the list with search.` : ''),
      ...(broken > 0 && { next: `A person must connect the other accounts again at ${links.integrations}.` }),
      workspace: {
        name: cleanText(workspace.name, { max: 100 }),
        timezone: workspace.timezone,
        now: writeTime(new Date().toISOString(), workspace.timezone),
        postsLeft: usage.posts.remaining,
      },
      accounts: wanted.slice(0, accountsMax).map((connection) => describeAccount(connection, platforms)),
      ...(settings && { settings }),
    }
  },
})

function describeAccount({ slug, platform, displayName, status }: Connection, platforms: readonly PlatformInfo[]) {
  const info = platforms.find((each) => each.platform === platform)
  return {
    account: slug,
    untrustedName: cleanText(displayName, { max: 60 }),
    ...(status !== 'active' && { status }),
    ...(info && {
      textMax: info.text.max,
      formats: info.formats.join(' '),
      can: Object.entries(info.can)
        .filter(([, able]) => able)
        .map(([ability]) => ability)
        .join(' '),
    }),
  }
}
