import { Type } from 'typebox'

const Hex64 = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** NIP-01. What relays add is ignored. */
export const Event = Type.Object({
  id: Hex64,
  pubkey: Hex64,
  created_at: Type.Integer(),
  kind: Type.Integer(),
  tags: Type.Array(Type.Array(Type.String())),
  content: Type.String(),
  sig: Type.String({ pattern: '^[0-9a-f]{128}$' }),
})

/** All that a relay said in one conversation: each message is a list that begins with its kind. */
export const Messages = Type.Array(Type.Array(Type.Unknown()))

/** What an event of kind 0 says about a person, as JSON in its content. */
export const Profile = Type.Object({
  name: Type.Optional(Type.Unknown()),
  display_name: Type.Optional(Type.Unknown()),
  nip05: Type.Optional(Type.Unknown()),
  picture: Type.Optional(Type.Unknown()),
})

/** BUD-02: what a media server says about an upload. */
export const Blob = Type.Object({ url: Type.String(), sha256: Hex64, size: Type.Integer() })

/** What `stage` returns for `submit`: all of the event but the tag that tells it from others with the same words. */
export const StagedNote = Type.Object({
  createdAt: Type.Integer(),
  content: Type.String(),
  tags: Type.Array(Type.Array(Type.String())),
})
