import type { MediaType } from '@carillon/sdk'

/** What the address says about which files are shown. */
export type MediaSearch = { type?: string; tag?: string; show?: string; search?: string; item?: string }

const types: readonly MediaType[] = ['image', 'video', 'document']

/** The type in the address, or undefined if it names none. */
export function mediaTypeOf({ type }: MediaSearch): MediaType | undefined {
  return types.find((each) => each === type)
}

/** Whether a filter is on: an empty list then means that nothing matches. */
export function isFiltered({ type, tag, show, search }: MediaSearch): boolean {
  return [type, tag, show, search].some((value) => value !== undefined)
}
