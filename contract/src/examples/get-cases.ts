import { accountWebhookExamples } from './account-webhooks.ts'
import { aiExamples } from './ai.ts'
import { analyticsExamples } from './analytics.ts'
import { approvalLinkExamples } from './approval-links.ts'
import type { Case } from './case.ts'
import { capabilityExamples } from './capabilities.ts'
import { commentExamples } from './comments.ts'
import { contentExamples } from './content.ts'
import { eventLogExamples } from './event-log.ts'
import { integrationExamples } from './integrations.ts'
import { connectLinkExamples, developerAppExamples } from './connect-links.ts'
import { calendarFeedExamples } from './calendar-feed.ts'
import { exportExamples } from './exports.ts'
import { importExamples } from './imports.ts'
import { labelExamples } from './labels.ts'
import { meExamples } from './me.ts'
import { mediaExamples } from './media.ts'
import { noteExamples } from './notes.ts'
import { reportExamples } from './reports.ts'
import { noticeExamples } from './notices.ts'
import { platformExamples } from './platforms.ts'
import { seriesExamples } from './series.ts'
import { grantExamples } from './grants.ts'
import { queueExamples } from './queues.ts'
import { webhookExamples } from './webhooks.ts'
import { workspaceExamples } from './workspaces.ts'

const casesBySubject: Record<string, Record<string, readonly Case[]>> = {
  accountWebhooks: accountWebhookExamples,
  ai: aiExamples,
  analytics: analyticsExamples,
  approvalLinks: approvalLinkExamples,
  comments: commentExamples,
  connections: capabilityExamples,
  content: contentExamples,
  events: eventLogExamples,
  integrations: integrationExamples,
  calendarFeed: calendarFeedExamples,
  connectLinks: connectLinkExamples,
  developerApps: developerAppExamples,
  exports: exportExamples,
  imports: importExamples,
  labels: labelExamples,
  me: meExamples,
  media: mediaExamples,
  notes: noteExamples,
  reports: reportExamples,
  notices: noticeExamples,
  platforms: platformExamples,
  grants: grantExamples,
  queues: queueExamples,
  series: seriesExamples,
  webhooks: webhookExamples,
  workspaces: workspaceExamples,
}

/** The cases of an endpoint. Every documented endpoint needs an example, so a missing one is an error. */
export function getCases(endpointId: string): readonly Case[] {
  const [subject = '', name = ''] = endpointId.split('.')
  const cases = casesBySubject[subject]?.[name]
  if (!cases) throw new Error(`${endpointId} has no example: add one in contract/src/examples/${subject}.ts.`)
  return cases
}
