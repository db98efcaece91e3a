import type { MediaType } from '@carillon/sdk'

/** What the address says about which files are shown. */
export type MediaSearch = { type?: string; tag?: string; show?: string; search?: string; folder?: string; item?: string }

const types: readonly MediaType[] = ['image', 'video', 'document']

/** The type in the address, or undefined if it names none. */
export function mediaTypeOf({ type }: MediaSearch): MediaType | undefined {
  return types.find((each) => each === type)
}

/** The folder in the address: an id, `none`, or undefined for all files. */
export function folderOf({ folder }: MediaSearch): string | undefined {
  return folder !== undefined && /^([0-9a-f]{24}|none)$/.test(folder) ? folder : undefined
}

/** Whether a filter is on: an empty list then means that nothing matches. */
export function isFiltered({ type, tag, show, search, folder }: MediaSearch): boolean {
  return [type, tag, show, search, folder].some((value) => value !== undefined)
}
