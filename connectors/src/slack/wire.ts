import { Type, type TProperties } from 'typebox'

/** Slack refuses with status 200, so a refusal is one of the shapes of each answer. `needed` is a scope that the app lacks. */
export const Failure = Type.Object({ ok: Type.Literal(false), error: Type.String(), needed: Type.Optional(Type.Unknown()) })

function answerOf<Properties extends TProperties>(properties: Properties) {
  return Type.Union([Failure, Type.Object({ ok: Type.Literal(true), ...properties })])
}

const Paging = { response_metadata: Type.Optional(Type.Object({ next_cursor: Type.Optional(Type.String()) })) }

export const Identity = answerOf({ url: Type.String(), team: Type.String(), user_id: Type.String() })

const Conversation = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  is_archived: Type.Optional(Type.Boolean()),
  is_member: Type.Optional(Type.Boolean()),
})

export const Channel = answerOf({ channel: Conversation })

export const Channels = answerOf({ channels: Type.Array(Conversation), ...Paging })

export const Posted = answerOf({ ts: Type.String() })

export const UploadAddress = answerOf({ upload_url: Type.String(), file_id: Type.String() })

/** The upload itself is answered with a word and the number of bytes. A page of something between us and Slack is not. */
export const Uploaded = Type.String({ pattern: '^OK' })

export const Done = answerOf({})

/** The messages of a channel that show a file. */
export const Share = Type.Array(Type.Object({ ts: Type.String(), thread_ts: Type.Optional(Type.String()) }))

/** By channel: the messages that show the file. There is nothing before the first one. Those of other channels are not read. */
const Shares = Type.Record(Type.String(), Type.Unknown())

export const FileInfo = answerOf({
  file: Type.Object({
    shares: Type.Optional(Type.Object({ public: Type.Optional(Shares), private: Type.Optional(Shares) })),
  }),
})

export const Messages = answerOf({
  messages: Type.Array(
    Type.Object({
      ts: Type.String(),
      thread_ts: Type.Optional(Type.String()),
      user: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      reply_count: Type.Optional(Type.Number()),
      reactions: Type.Optional(Type.Array(Type.Object({ count: Type.Number() }))),
      metadata: Type.Optional(
        Type.Object({ event_type: Type.String(), event_payload: Type.Record(Type.String(), Type.Unknown()) }),
      ),
    }),
  ),
  ...Paging,
})

/** What `stage` returns for `submit`. */
export const StagedFiles = Type.Object({ files: Type.Array(Type.Object({ id: Type.String(), title: Type.String() })) })
