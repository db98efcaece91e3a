import { postStatuses } from '../post-statuses.ts'
import type { PostStatus } from '@carillon/sdk'

/** Which posts are shown. It is a part of the address, of the calendar and of the list alike. */
export type PostFilter = { status?: string; platform?: string; connection?: string; label?: string; search?: string }

const names = ['status', 'platform', 'connection', 'label', 'search'] as const

/** Reads the filter out of an address that anybody may have typed. */
export function readPostFilter(search: Record<string, unknown>): PostFilter {
  const filter: PostFilter = {}
  for (const name of names) {
    const value = search[name]
    if (typeof value !== 'string' && typeof value !== 'number') continue
    const text = String(value).slice(0, 200)
    if (text !== '') filter[name] = text
  }
  if (filter.status !== undefined && !filter.status.split(',').every(isStatus)) delete filter.status
  if (filter.platform !== undefined && !/^[a-z0-9_-]+$/.test(filter.platform)) delete filter.platform
  if (filter.connection !== undefined && !/^[^,\s]+$/.test(filter.connection)) delete filter.connection
  if (filter.label !== undefined && !/^[0-9a-f]{24}$/.test(filter.label)) delete filter.label
  return filter
}

/** The filter of this page without its other search params, in the form of a query. */
export function queryOfFilter({ status, platform, connection, label, search }: PostFilter) {
  return {
    // It was checked when the address was read.
    ...(status !== undefined && { status }),
    ...(platform !== undefined && { platform }),
    ...(connection !== undefined && { connection }),
    ...(label !== undefined && { label }),
    ...(search !== undefined && { search }),
  }
}

/** The tabs of the list show the status; it is no filter that could be removed there. */
export function shownFilter(filter: PostFilter, hidesStatus = false): PostFilter {
  const { status: _status, ...withoutStatus } = filter
  return hidesStatus ? withoutStatus : filter
}

export function isFiltered(filter: PostFilter): boolean {
  return names.some((name) => filter[name] !== undefined)
}

function isStatus(text: string): text is PostStatus {
  return (postStatuses as readonly string[]).includes(text)
}
