/** A title and a description for each subject of the API. A new subject needs an entry here. */
export const subjects: Readonly<Record<string, { title: string; description: string }>> = {
  content: { title: 'Content', description: 'Create, validate, schedule, publish, track, retry and delete posts.' },
  approvalLinks: { title: 'Approval links', description: 'Links with which people without an account approve posts.' },
  comments: { title: 'Comments', description: 'What members and clients say about a post. It is sent to no platform.' },
  queues: {
    title: 'Queues',
    description: 'Times of the week at which posts are published, and which of them are free.',
  },
  series: {
    title: 'Series',
    description: 'Recurring posts: rules for dates, of which the next two are scheduled posts.',
  },
  grants: { title: 'Connected programs', description: 'Programs that act for a person in a workspace.' },
  labels: {
    title: 'Labels',
    description: 'Labels and campaigns of posts, for filters and figures. They are sent to no platform.',
  },
  calendarFeed: { title: 'Calendar feed', description: 'The calendar for calendar programs, at a secret address.' },
  exports: { title: 'Exports', description: 'Posts as files, for spreadsheets and for other installations.' },
  imports: {
    title: 'Imports',
    description: 'Posts from files: of other tools, of spreadsheets, and of exports.',
  },
  notes: { title: 'Notes', description: 'Notes on the days of the calendar.' },
  webhooks: {
    title: 'Webhooks',
    description: 'URLs that receive events, and the deliveries sent to them.',
  },
  accountWebhooks: {
    title: 'Webhooks of your account',
    description: 'URLs that receive the events of all workspaces in which a person is owner or admin, now or later.',
  },
  events: { title: 'Events', description: 'What happened in a workspace in the last 30 days, for programs that catch up.' },
  workspaces: {
    title: 'Workspaces',
    description: 'Workspaces and their connections, members, invitations, API keys and audit log.',
  },
  connections: { title: 'Connections', description: 'What one connected account may do.' },
  connectLinks: {
    title: 'Connect links',
    description: 'Links with which people who have no account here connect theirs to a workspace.',
  },
  developerApps: {
    title: 'Developer apps',
    description: 'Apps at platforms that a workspace brings itself, in place of those of the installation.',
  },
  integrations: {
    title: 'Connecting accounts',
    description:
      'Beside the API, below the host itself: what the Integrations screen uses. A person agrees on the platform and then confirms the account.',
  },
  notices: { title: 'Notices', description: 'What a person is told about, one notice for each cause, and what they are mailed.' },
  me: { title: 'Me', description: 'The person that a key or session belongs to.' },
  media: { title: 'Media', description: 'The library of files that posts can use.' },
  ai: { title: 'AI', description: 'Captions and hashtags, generated for each platform.' },
  analytics: { title: 'Analytics', description: 'The metrics of posts.' },
  reports: {
    title: 'Reports',
    description: 'Pages with the figures of a period, which clients read by a link without an account.',
  },
  platforms: { title: 'Platforms', description: 'The limits and features of each platform.' },
}

export const overview = `One request publishes to many social accounts: on time, once, and honest about what happened.

**Envelope.** A successful response is \`{ "success": true, "data": … }\`. An error response is \`{ "success": false, "error": … }\` with a
stable \`code\`, a message, what to do next (\`action\`), whether a retry can help (\`retryable\`) and a \`traceId\` for support.

**Changes.** Fields, codes and events may be added at any time, so ignore unknown ones. For an unknown error code, decide by the HTTP
status and \`action\`.

**Idempotency.** Send an \`Idempotency-Key\` with every POST and PATCH. A repeated request with the same key within 24 hours gets the first
response again, with \`Idempotent-Replayed: true\`. The same key with another body is refused.

**Results.** Publishing continues after the response. Poll \`GET /content/status\` or use a webhook. A channel that ends as
\`unconfirmed\` may have been published although the platform's response was lost; it is never sent again automatically.`
