/** What the address says about which figures are shown. */
export type AnalyticsSearch = {
  days?: string
  from?: string
  to?: string
  against?: string
  by?: string
  metric?: string
  label?: string
}

export const metrics = ['impressions', 'likes', 'comments', 'shares', 'clicks', 'saves'] as const
export type Metric = (typeof metrics)[number]

export const ranges = ['7', '28', '90', '365', 'own'] as const
type Range = (typeof ranges)[number]

export const comparisons = ['previous', 'year'] as const
type Comparison = (typeof comparisons)[number]

export const groupings = ['platform', 'connection', 'label'] as const
type Grouping = (typeof groupings)[number]

export type Chosen = {
  days: Range
  /** The days of a range of one's own; empty while a field has no day. */
  from: string
  to: string
  against: Comparison
  by: Grouping
  metric: Metric
  label: string | null
}

export function readSearch({ days, from, to, against, by, metric, label }: AnalyticsSearch): Chosen {
  return {
    days: ranges.find((each) => each === days) ?? '28',
    from: dayOrEmpty(from),
    to: dayOrEmpty(to),
    against: comparisons.find((each) => each === against) ?? 'previous',
    by: groupings.find((each) => each === by) ?? 'platform',
    metric: metrics.find((each) => each === metric) ?? 'impressions',
    label: label !== undefined && /^[0-9a-f]{24}$/.test(label) ? label : null,
  }
}

function dayOrEmpty(text = ''): string {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''
}
