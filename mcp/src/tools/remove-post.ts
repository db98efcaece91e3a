import { Type } from 'typebox'
import { defineTool, Facts, PostId, Untrusted } from '../tool.ts'
import { limitThirdParty } from '../words/third-party.ts'

export const removePost = defineTool({
  name: 'remove_post',
  title: 'Archive or delete a post',
  description:
    'archive: hides a post and can be undone. delete: deletes it in Carillon for ever; it stays on the platforms unless `alsoOnPlatforms`. Only after the person said yes.',
  needs: 'publish',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  input: Type.Object(
    {
      id: PostId,
      how: Type.Enum(['archive', 'delete']),
      alsoOnPlatforms: Type.Optional(Type.Boolean({ description: 'Delete it on the platforms too, where they allow it' })),
    },
    { additionalProperties: false },
  ),
  output: { untrusted: Type.Optional(Untrusted), accounts: Type.Optional(Type.Array(Facts)) },
  async run({ id, how, alsoOnPlatforms = false }, { desk: { carillon } }) {
    const { channels } = await carillon.content.get(id)
    const live = channels.filter(({ result }) => result.status === 'success').map(({ connection }) => connection)
    const visible = live.length > 0 ? ` It is STILL VISIBLE on ${live.join(', ')}.` : ' It is on no platform.'
    if (how === 'archive') {
      await carillon.content.archive(id)
      return { summary: `ARCHIVED: the post is hidden in Carillon.${visible}` }
    }
    const removal = await carillon.content.remove(id, alsoOnPlatforms ? { unpublish: 'true' } : {})
    if (!alsoOnPlatforms || removal === null) return { summary: `DELETED in Carillon.${visible}` }
    const left = removal.channels.filter(({ outcome }) => outcome === 'failed' || outcome === 'not_supported')
    return {
      summary:
        left.length === 0
          ? 'DELETED in Carillon and on all platforms where it was published.'
          : `DELETED in Carillon, but STILL VISIBLE on ${left.map(({ connection }) => connection).join(', ')}.`,
      ...(left.length > 0 && { next: 'A person must delete it there on the platform itself.' }),
      accounts: removal.channels.map(({ connection, outcome }) => ({ account: connection, outcome })),
      untrusted: limitThirdParty(
        removal.channels.map(({ connection, message }) => ({ from: `platform of ${connection}`, text: message ?? '' })),
        500,
      ),
    }
  },
})
