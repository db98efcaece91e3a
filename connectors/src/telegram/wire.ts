import { Type, type TSchema } from 'typebox'

function answerOf<Result extends TSchema>(result: Result) {
  return Type.Object({ ok: Type.Literal(true), result })
}

export const Bot = answerOf(Type.Object({ id: Type.Number() }))

export const Chat = answerOf(
  Type.Object({
    id: Type.Number(),
    type: Type.String(),
    title: Type.Optional(Type.String()),
    /** Private chats have none. */
    username: Type.Optional(Type.String()),
  }),
)

export const Members = answerOf(Type.Unknown())

/** The rights are there only where they mean something: to post in channels, to write for restricted members. */
export const Member = answerOf(
  Type.Object({
    status: Type.String(),
    can_post_messages: Type.Optional(Type.Boolean()),
    can_send_messages: Type.Optional(Type.Boolean()),
  }),
)

const Message = Type.Object({ message_id: Type.Number() })

export const Sent = answerOf(Message)

export const SentAlbum = answerOf(Type.Array(Message, { minItems: 1 }))

export const AnyBody = Type.Unknown()
