/** Interactions in percent of impressions, with two decimals. Null without impressions: 0 would say that nobody cared. */
export function rateEngagement({ interactions, impressions }: { interactions: number; impressions: number }): number | null {
  return impressions === 0 ? null : Math.round((interactions / impressions) * 10_000) / 100
}
