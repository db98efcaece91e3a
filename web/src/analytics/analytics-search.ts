/** What the address says about which figures are shown. */
export type AnalyticsSearch = { days?: string; by?: string; metric?: string; label?: string }

export const metrics = ['impressions', 'likes', 'comments', 'shares', 'clicks', 'saves'] as const
export type Metric = (typeof metrics)[number]

export const ranges = ['7', '28', '90'] as const
export type Range = (typeof ranges)[number]

export const groupings = ['platform', 'connection', 'label'] as const
export type Grouping = (typeof groupings)[number]

export function readSearch({ days, by, metric, label }: AnalyticsSearch): {
  days: Range
  by: Grouping
  metric: Metric
  label: string | null
} {
  return {
    days: ranges.find((each) => each === days) ?? '28',
    by: groupings.find((each) => each === by) ?? 'platform',
    metric: metrics.find((each) => each === metric) ?? 'impressions',
    label: label !== undefined && /^[0-9a-f]{24}$/.test(label) ? label : null,
  }
}
