import { readPostFilter, type PostFilter } from '../posts/filter/post-filter.ts'
import { type PanelSearch, readPanelSearch } from '../posts/use-post-panel.ts'

export const views = ['month', 'week', 'agenda'] as const
export type View = (typeof views)[number]

/** What the calendar shows: it is all in the address. Without a day it shows today. */
export type CalendarSearch = PostFilter & PanelSearch & { view?: View; day?: string }

export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const { view, day } = search
  return {
    ...readPostFilter(search),
    ...readPanelSearch(search),
    ...(isView(view) && view !== 'month' && { view }),
    ...(typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && { day }),
  }
}

function isView(value: unknown): value is View {
  return (views as readonly unknown[]).includes(value)
}
