import 'i18next'
import type analytics from './en/analytics.json'
import type approval from './en/approval.json'
import type calendar from './en/calendar.json'
import type compose from './en/compose.json'
import type connections from './en/connections.json'
import type errors from './en/errors.json'
import type keys from './en/keys.json'
import type grants from './en/grants.json'
import type labels from './en/labels.json'
import type list from './en/list.json'
import type media from './en/media.json'
import type transfer from './en/transfer.json'
import type notes from './en/notes.json'
import type notices from './en/notices.json'
import type operator from './en/operator.json'
import type own from './en/own.json'
import type people from './en/people.json'
import type platforms from './en/platforms.json'
import type posts from './en/posts.json'
import type reasons from './en/reasons.json'
import type reports from './en/reports.json'
import type schedule from './en/schedule.json'
import type series from './en/series.json'
import type settings from './en/settings.json'
import type shell from './en/shell.json'
import type timeline from './en/timeline.json'
import type warnings from './en/warnings.json'

// The English files are the list of keys: a key that is missing there does not compile.
type Resources = {
  analytics: typeof analytics
  approval: typeof approval
  calendar: typeof calendar
  compose: typeof compose
  connections: typeof connections
  errors: typeof errors
  keys: typeof keys
  grants: typeof grants
  labels: typeof labels
  list: typeof list
  media: typeof media
  notes: typeof notes
  notices: typeof notices
  transfer: typeof transfer
  operator: typeof operator
  own: typeof own
  people: typeof people
  platforms: typeof platforms
  posts: typeof posts
  reasons: typeof reasons
  reports: typeof reports
  schedule: typeof schedule
  series: typeof series
  settings: typeof settings
  shell: typeof shell
  timeline: typeof timeline
  warnings: typeof warnings
}

declare module 'i18next' {
  // i18next asks for an interface here: it is merged with its own.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface CustomTypeOptions {
    defaultNS: 'shell'
    resources: Resources
  }
}
