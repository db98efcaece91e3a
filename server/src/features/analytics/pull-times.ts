const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How far back figures are asked for: by themselves, and when a person wants them fresh. */
export const followMs = 30 * dayMs
export const wantedFollowMs = 90 * dayMs

/** A post is asked about for the first time this long after it was published. */
export const firstAskMs = 15 * minuteMs
const youngMs = 2 * dayMs
/** What falls due this soon goes along, so that a busy connection is pulled about once an hour and not once a post. */
const alongMs = 10 * minuteMs

/** What is known of a channel: when it was published and when its platform was last asked about it. */
export type Known = { publishedAtMs: number; askedAtMs: number | null }

/** When a channel's figures are asked for next: hourly for two days, daily for thirty, then no more. */
export function nextAskAtMs({ publishedAtMs, askedAtMs }: Known): number | null {
  if (askedAtMs === null) return publishedAtMs + firstAskMs
  const ageMs = askedAtMs - publishedAtMs
  const nextMs = askedAtMs + (ageMs < youngMs ? hourMs : dayMs)
  return nextMs - publishedAtMs < followMs ? nextMs : null
}

/** Is it time to ask? With a wish, whatever has not been asked about since. */
export function isDue(known: Known, { nowMs, wantedAtMs }: { nowMs: number; wantedAtMs: number | null }): boolean {
  if (wantedAtMs !== null) return known.askedAtMs === null || known.askedAtMs < wantedAtMs
  const nextMs = nextAskAtMs(known)
  return nextMs !== null && nextMs <= nowMs + alongMs
}

const backoffMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs]
/** After this many failures in a row the wish for fresh figures is given up, and the connection is pulled once a day. */
export const failuresMax = backoffMs.length

export function backoffAfter(failures: number): number {
  return backoffMs[failures] ?? dayMs
}

/** Between two parts of a long pull: reading may use up a share of the platform's limits, never the publishing. */
export const paceMs = 2 * minuteMs
/** A connection that cannot be asked now is looked at again tomorrow. */
export const restMs = dayMs
