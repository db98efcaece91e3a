import { accountWebhooks } from './account/account-webhooks.ts'
import { notices } from './account/notices.ts'
import { ai } from './ai.ts'
import { approvalLinks } from './approval/approval-links.ts'
import { comments } from './approval/comments.ts'
import { analytics } from './analytics.ts'
import { connectLinks } from './connecting/connect-links.ts'
import { developerApps } from './connecting/developer-apps.ts'
import { connectionsApi } from './connections.ts'
import { content } from './content.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { grants } from './account/grants.ts'
import { integrations } from './connecting/integrations.ts'
import { calendarFeed } from './exchange/calendar-feed.ts'
import { exports } from './exchange/exports.ts'
import { imports } from './exchange/imports.ts'
import { labels } from './planning/labels.ts'
import { me } from './me.ts'
import { media } from './media.ts'
import { notes } from './planning/notes.ts'
import { series } from './planning/series.ts'
import { platformsApi } from './platforms-api.ts'
import { queues } from './queues.ts'
import { reports } from './exchange/reports.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

/** All endpoints of the API. An endpoint that is not listed here is not served, not documented and not in the SDK. */
export const endpoints: readonly Endpoint[] = [
  content,
  approvalLinks,
  comments,
  queues,
  series,
  calendarFeed,
  exports,
  imports,
  labels,
  notes,
  media,
  ai,
  analytics,
  reports,
  webhooks,
  accountWebhooks,
  events,
  workspaces,
  grants,
  connectionsApi,
  connectLinks,
  developerApps,
  me,
  notices,
  platformsApi,
].flatMap((subject) => Object.values<Endpoint>(subject))

/** Endpoints beside the API, which programs may use too: they are documented and in the SDK. */
export const endpointsBesideApi: readonly Endpoint[] = Object.values<Endpoint>(integrations)
