/** What each subject of the interface is about. A new subject needs a sentence here. */
export const subjects: Readonly<Record<string, { title: string; description: string }>> = {
  content: { title: 'Content', description: 'Posts: make, check, schedule, publish, follow, retry and remove them.' },
  webhooks: {
    title: 'Webhooks',
    description: 'Addresses of yours that are told when something happens, and what was delivered to them.',
  },
  workspaces: {
    title: 'Workspaces',
    description: 'Workspaces and what belongs to them: connections, members, invitations, API keys and the record of changes.',
  },
  media: { title: 'Media', description: 'The library of files that posts use.' },
  ai: { title: 'AI', description: 'Captions and hashtags, written for each platform.' },
  analytics: { title: 'Analytics', description: 'How posts did.' },
  platforms: { title: 'Platforms', description: 'What each platform takes, and what it can do.' },
}

export const overview = `One request publishes to many social accounts: on time, once, and honest about what happened.

**Envelope.** A success is \`{ "success": true, "data": … }\`. A refusal is \`{ "success": false, "error": … }\` with a stable \`code\`, a
sentence, what to do next (\`action\`), whether trying again can help (\`retryable\`) and a \`traceId\` to quote.

**Changes.** Fields, codes and events may be added at any time, so ignore what you do not know. For an unknown error code go by the HTTP
status and \`action\`.

**Safe repeats.** Give every POST and PATCH an \`Idempotency-Key\`. Sent again within 24 hours, it gets the first answer again with
\`Idempotent-Replayed: true\`; with another body it is refused.

**Results.** Publishing goes on after the answer. Follow it with \`GET /content/status\` or by webhook. A channel that ends as
\`unconfirmed\` may have been published although the platform's answer was lost; it is never sent again by itself.`
