/** The times in the rules, and those of the drill: a fault shall be found in seconds. */
const shorter: readonly [RegExp, string][] = [
  [/for: \S+/g, 'for: 6s'],
  [/\[(?:2m|5m|10m|15m|30m|1h)\]/g, '[30s]'],
  [/max\(carillon_oldest_overdue_seconds\) > 120/, 'max(carillon_oldest_overdue_seconds) > 12'],
  [/max\(carillon_heartbeat_age_seconds\) > 60/, 'max(carillon_heartbeat_age_seconds) > 30'],
  [/max\(carillon_events_oldest_seconds\) > 60/, 'max(carillon_events_oldest_seconds) > 10'],
  [/max\(carillon_mails_oldest_due_seconds\) > 600/, 'max(carillon_mails_oldest_due_seconds) > 10'],
  [/max\(carillon_webhook_deliveries_waiting\) > 1000/, 'max(carillon_webhook_deliveries_waiting) > 100'],
  // Of a chore that runs every five seconds and may not have succeeded for 610 seconds: after 70.
  [
    /carillon_chore_last_success_age_seconds - carillon_chore_allowed_age_seconds\) > 0/,
    'carillon_chore_last_success_age_seconds{chore="series"} - carillon_chore_allowed_age_seconds) > -540',
  ],
]

/** The same rules with shorter times. Throws if a rule no longer has the form that is shortened here. */
export function shortenRules(rules: string): string {
  return shorter.reduce((text, [pattern, replacement]) => {
    if (text.search(pattern) === -1) throw new Error(`the alert rules do not contain ${pattern.source}`)
    return text.replaceAll(new RegExp(pattern, 'g'), replacement)
  }, rules)
}
