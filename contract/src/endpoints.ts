import { accountWebhooks } from './account/account-webhooks.ts'
import { ai } from './ai.ts'
import { analytics } from './analytics.ts'
import { connectionsApi } from './connections.ts'
import { content } from './content.ts'
import type { Endpoint } from './endpoint.ts'
import { events } from './events.ts'
import { integrations } from './integrations.ts'
import { calendarFeed } from './exchange/calendar-feed.ts'
import { exports } from './exchange/exports.ts'
import { imports } from './exchange/imports.ts'
import { labels } from './planning/labels.ts'
import { me } from './me.ts'
import { media } from './media.ts'
import { notes } from './planning/notes.ts'
import { platformsApi } from './platforms-api.ts'
import { queues } from './queues.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

/** All endpoints of the API. An endpoint that is not listed here is not served, not documented and not in the SDK. */
export const endpoints: readonly Endpoint[] = [
  content,
  queues,
  calendarFeed,
  exports,
  imports,
  labels,
  notes,
  media,
  ai,
  analytics,
  webhooks,
  accountWebhooks,
  events,
  workspaces,
  connectionsApi,
  me,
  platformsApi,
].flatMap((subject) => Object.values<Endpoint>(subject))

/** Endpoints beside the API, which programs may use too: they are documented and in the SDK. */
export const endpointsBesideApi: readonly Endpoint[] = Object.values<Endpoint>(integrations)
