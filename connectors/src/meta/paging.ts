import { type Static, Type } from 'typebox'

/** How Graph lists are paged. */
export const Paging = Type.Object({
  cursors: Type.Optional(Type.Object({ after: Type.Optional(Type.String()) })),
  next: Type.Optional(Type.String()),
})

/** The cursor of the next page. Graph names a cursor on the last page too; only there is `next` absent. */
export function nextCursor(paging: Static<typeof Paging> | undefined): string | null {
  return paging?.next === undefined ? null : (paging.cursors?.after ?? null)
}
