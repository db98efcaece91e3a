import type { Client, Connector, Draft, Handle, Media, Staged } from '@carillon/connectors'
import type { Context } from '../../context.ts'
import { openClient, type ConnectionAccess } from '../connections/open-client.ts'
import { composeDraft, settingsOf } from '../posts/complete-settings.ts'
import { fieldsForChannel, fieldsFromRow, type ChannelFields, type PostContent } from '../posts/post-fields.ts'
import type { PartRow, PostRow } from '../posts/post.store.ts'

/** What sending needs of a part of a channel. */
export type ChannelToSend = Pick<
  PartRow,
  | 'workspace_id'
  | 'id'
  | 'post_id'
  | 'connection_id'
  | 'connection_slug'
  | 'platform'
  | 'state'
  | 'generation'
  | 'due_at'
  | 'dispatch_at'
  | 'needs_stage'
  | 'staged'
  | 'handle_at'
  | 'armed_at'
  | 'submitted_at'
  | 'reference'
  | 'finish_by'
  | 'tries'
  | 'refusals'
  | 'renew_token'
  | 'media_count'
  | 'platform_post_id'
  | 'number'
  | 'parts'
  | 'thread_parts'
  | 'reply_to'
  | 'traceparent'
> & { epoch: number }

type PostToSend = PostContent & Pick<PostRow, 'workspace_id' | 'id' | 'status' | 'pending_medias' | 'pending_error'>

/** A channel with all that is needed to send it. */
export type LoadedChannel = {
  channel: ChannelToSend
  post: PostToSend
  connection: ConnectionAccess & {
    status: string
    status_reason: string | null
    token_expires_at: Date | null
    token_renewed_at: Date
    own_app: boolean
  }
}

export type OpenedChannel = { connector: Connector; client: Client; draft: Draft; staged: Staged; handle: Handle }

type OpenOptions = {
  media?: readonly Media[]
  /** Called in the last line before each request is written; when it throws, the request is not sent. */
  beforeWrite?: () => void
  /** The span under which the calls are recorded. */
  parent?: string | undefined
}

/** Opens a client for the channel's connection and puts together the draft that is sent there. */
export function openChannel(
  ctx: Context,
  { channel, post, connection }: LoadedChannel,
  { media = [], beforeWrite, parent }: OpenOptions = {},
): OpenedChannel {
  const { connector, client } = openClient(ctx, connection, { beforeWrite, parent })
  return {
    connector,
    client,
    draft: draftOf(connector, { channel, post }, media),
    staged: channel.staged,
    handle: handleOf(channel),
  }
}

/** What this part of its channel says on this platform. */
export function draftOf(
  connector: Connector,
  { channel, post }: Pick<LoadedChannel, 'channel' | 'post'>,
  media: readonly Media[] = [],
): Draft {
  const fields = fieldsForChannel(fieldsFromRow(post), channel.connection_slug)
  if (channel.number === 0) return composeDraft(connector, fields, media)
  return answerOf(connector, fields, { number: channel.number, replyTo: channel.reply_to })
}

/** A further post of a thread or the first comment as it is sent: an answer to what the part before it published. */
function answerOf(
  connector: Connector,
  fields: ChannelFields,
  { number, replyTo }: { number: number; replyTo: string | null },
): Draft {
  return {
    format: 'text',
    text: fields.thread?.[number - 1]?.text ?? fields.firstComment ?? '',
    title: null,
    linkUrl: null,
    media: [],
    settings: settingsOf(connector, fields),
    replyTo: { postId: replyTo ?? '' },
  }
}

/** Whether the part after this one has something to be made before it is sent. */
export function nextNeedsStage(
  connector: Connector,
  { channel, post }: Pick<LoadedChannel, 'channel' | 'post'>,
  postId: string,
): boolean {
  const fields = fieldsForChannel(fieldsFromRow(post), channel.connection_slug)
  return (
    connector.stage !== undefined &&
    connector.needsStage(answerOf(connector, fields, { number: channel.number + 1, replyTo: postId }))
  )
}

/** Fixed when the channel is created and the same for every attempt, so that a platform can recognise a repeat. */
function handleOf(channel: ChannelToSend): Handle {
  return { key: channel.id, atMs: channel.handle_at.getTime() }
}
