import { type Static, Type } from 'typebox'
import { FollowerCount } from '../kit/auth.ts'

const Id = Type.String({ pattern: '^\\d{1,25}$' })
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

const listOf = <Item extends Parameters<typeof Type.Array>[0]>(item: Item) =>
  Type.Object({ items: Type.Array(item), bookmark: Text })

export const Me = Type.Object({
  id: Id,
  username: Type.String({ minLength: 1 }),
  business_name: Text,
  profile_image: Text,
  follower_count: FollowerCount,
})

const Board = Type.Object({
  id: Id,
  name: Type.String(),
  owner: Type.Optional(Type.Object({ username: Text })),
  is_ads_only: Type.Optional(Type.Boolean()),
})
export type Board = Static<typeof Board>
export const Boards = listOf(Board)

export const Sections = listOf(Type.Object({ id: Id, name: Type.String() }))

export const Registered = Type.Object({
  media_id: Id,
  upload_url: Type.String({ minLength: 1 }),
  upload_parameters: Type.Record(Type.String(), Type.Unknown()),
})
export const MediaState = Type.Object({ status: Type.String() })

export const Created = Type.Object({ id: Id })

const Pin = Type.Object({
  id: Id,
  created_at: Text,
  title: Text,
  description: Text,
  link: Text,
  board_section_id: Text,
  media: Type.Optional(Type.Object({ media_type: Text })),
})
export type ListedPin = Static<typeof Pin>
export const Pins = listOf(Pin)

const Count = Type.Optional(Type.Union([Type.Number(), Type.Null()]))
/** Null for a pin of which nothing is known yet. */
export const Figures = Type.Object({
  id: Id,
  pin_metrics: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        lifetime_metrics: Type.Optional(Type.Object({ impression: Count, clickthrough: Count, reaction: Count, comment: Count })),
      }),
    ]),
  ),
})

export const AnyBody = Type.Unknown()

/** What `stage` returns for `submit` and `find`. */
export const StagedPin = Type.Object({
  boardId: Type.String(),
  sectionId: Type.Union([Type.String(), Type.Null()]),
  mediaId: Type.Union([Type.String(), Type.Null()]),
})
export type StagedPin = Static<typeof StagedPin>
