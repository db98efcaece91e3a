import { Type } from 'typebox'

/** The bot that a token belongs to. */
export const Me = Type.Object({ id: Type.String() })

const Overwrite = Type.Object({ id: Type.String(), allow: Type.String(), deny: Type.String() })

export const Channel = Type.Object({
  id: Type.String(),
  type: Type.Number(),
  /** Private messages have none. */
  guild_id: Type.Optional(Type.String()),
  name: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  permission_overwrites: Type.Optional(Type.Array(Overwrite)),
})

/** What Discord calls a guild is a server for everybody else. */
export const Guild = Type.Object({
  id: Type.String(),
  name: Type.String(),
  icon: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  owner_id: Type.String(),
  roles: Type.Array(Type.Object({ id: Type.String(), permissions: Type.String() })),
})

export const Member = Type.Object({ roles: Type.Array(Type.String()) })

export const Message = Type.Object({ id: Type.String() })

export const Messages = Type.Array(
  Type.Object({
    id: Type.String(),
    author: Type.Object({ id: Type.String() }),
    content: Type.String(),
    timestamp: Type.String(),
    message_reference: Type.Optional(Type.Object({ message_id: Type.Optional(Type.String()) })),
  }),
)

/** There is no list of reactions if nobody has reacted. */
export const Reactions = Type.Object({
  id: Type.String(),
  reactions: Type.Optional(Type.Array(Type.Object({ count: Type.Number() }))),
})

export const AnyBody = Type.Unknown()
