/** What the address says about which figures are shown. */
export type AnalyticsSearch = { days?: string; by?: string; metric?: string }

export const metrics = ['impressions', 'likes', 'comments', 'shares', 'clicks', 'saves'] as const
export type Metric = (typeof metrics)[number]

export const ranges = ['7', '28', '90'] as const
export type Range = (typeof ranges)[number]

export function readSearch({ days, by, metric }: AnalyticsSearch): {
  days: Range
  by: 'platform' | 'connection'
  metric: Metric
} {
  return {
    days: ranges.find((each) => each === days) ?? '28',
    by: by === 'connection' ? 'connection' : 'platform',
    metric: metrics.find((each) => each === metric) ?? 'impressions',
  }
}
