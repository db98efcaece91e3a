import type { Client, Connector, Draft, Handle, Media, Staged } from '@carillon/connectors'
import { Value } from 'typebox/value'
import { openClient, type Speaker } from '../connections/open-client.ts'
import type { Context } from '../context.ts'
import { fieldsForChannel, fieldsOfRow } from './post-fields.ts'
import type { ChannelRow, PostRow } from './post.store.ts'

/** A channel with all that is needed to send it. */
export type Loaded = {
  channel: ChannelRow
  post: PostRow
  connection: Speaker & { status: string; status_reason: string | null; token_expires_at: Date | null }
}

export type Opened = { connector: Connector; client: Client; draft: Draft; staged: Staged; handle: Handle }

/** Opens the way to the platform and puts together what is to be said there. */
export function openChannel(ctx: Context, { channel, post, connection }: Loaded, media: readonly Media[] = []): Opened {
  const { connector, client } = openClient(ctx, connection)
  const fields = fieldsForChannel(fieldsOfRow(post), channel.connection_slug)
  const settings = Value.Default(connector.settings, { ...fields.settings }) as Record<string, unknown>
  const draft = {
    format: fields.contentFormat,
    text: fields.text ?? '',
    title: fields.title,
    linkUrl: fields.linkUrl,
    media,
    settings,
    replyTo: null,
  }
  return { connector, client, draft, staged: channel.staged, handle: handleOf(channel) }
}

/** The same for every attempt at this channel, so that a platform can recognise the second. */
function handleOf(channel: ChannelRow): Handle {
  return { key: channel.id, atMs: channel.armed_at?.getTime() ?? 0 }
}
