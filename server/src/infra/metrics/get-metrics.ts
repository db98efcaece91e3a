import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Context } from '../../context.ts'

/** From a send that nobody notices as late to one that is an hour late. */
const lateSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900, 3600]
const callSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof createMetrics>['value']

/**
 * Every metric of a process. A label has few values that are known in advance, such as a platform, an error code or a route; never a
 * workspace, an account, an address or a text. A registry belongs to one context, so two contexts in a process do not mix their counts.
 */
function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  return {
    value: {
      registry,
      ...publishingMetrics(registers),
      ...serviceMetrics(registers),
      ...figureMetrics(registers),
    },
  }
}

/** Counted where it happens. */
function publishingMetrics(registers: Registry[]) {
  return {
    lateness: new Histogram({
      name: 'carillon_send_lateness_seconds',
      help: 'How long after its due time the first attempt at a channel began.',
      labelNames: ['platform'],
      buckets: lateSeconds,
      registers,
    }),
    outcomes: new Counter({
      name: 'carillon_channel_outcomes_total',
      help: 'Results of channels that were stored. The code is that of the error, or "none".',
      labelNames: ['platform', 'outcome', 'code'],
      registers,
    }),
    platformCalls: new Histogram({
      name: 'carillon_platform_call_seconds',
      help: 'Duration of HTTP requests to platforms. The status is a class such as 2xx, or "none" without a response.',
      labelNames: ['platform', 'status'],
      buckets: callSeconds,
      registers,
    }),
    renewals: new Counter({
      name: 'carillon_token_renewals_total',
      help: 'Requests for a new token: issued, refused (the account must be connected again) or unavailable.',
      labelNames: ['platform', 'outcome'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'carillon_webhook_attempts_total',
      help: 'Attempts at webhook deliveries: delivered, the class of another status, unanswered, or off (the webhook is disabled).',
      labelNames: ['outcome'],
      registers,
    }),
  }
}

function serviceMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'carillon_http_request_seconds',
      help: 'Duration of requests to the API, by route template and status class. Event streams are not counted.',
      labelNames: ['method', 'route', 'status'],
      buckets: requestSeconds,
      registers,
    }),
    mails: new Counter({
      name: 'carillon_mails_total',
      help: 'Attempts at mails: sent, later (tried again), failed, or not_configured.',
      labelNames: ['outcome'],
      registers,
    }),
    decodersRunning: new Gauge({
      name: 'carillon_decoders_running',
      help: 'Programs that are opening media files.',
      labelNames: ['queue'],
      registers,
    }),
    decodersWaiting: new Gauge({
      name: 'carillon_decoders_waiting',
      help: 'Media files that wait for a free decoder.',
      labelNames: ['queue'],
      registers,
    }),
    poolConnections: new Gauge({
      name: 'carillon_db_pool_connections',
      help: 'Open database connections of this process: busy or idle.',
      labelNames: ['pool', 'state'],
      registers,
    }),
    poolSize: new Gauge({
      name: 'carillon_db_pool_size',
      help: 'The most connections that a pool opens.',
      labelNames: ['pool'],
      registers,
    }),
    poolWaiting: new Gauge({
      name: 'carillon_db_pool_waiting',
      help: 'Work that waits for a free database connection.',
      labelNames: ['pool'],
      registers,
    }),
    loopAge: new Gauge({
      name: 'carillon_loop_last_success_age_seconds',
      help: 'Time since the last successful pass of a loop of this worker, or since its start if there was none.',
      labelNames: ['loop'],
      registers,
    }),
    loopAllowedAge: new Gauge({
      name: 'carillon_loop_allowed_age_seconds',
      help: 'How old the last successful pass may be before the loop counts as stopped.',
      labelNames: ['loop'],
      registers,
    }),
    loopFailures: new Gauge({
      name: 'carillon_loop_failed_passes',
      help: 'Passes of a loop that failed or were abandoned since the process started.',
      labelNames: ['loop'],
      registers,
    }),
    diskFree: new Gauge({
      name: 'carillon_disk_free_bytes',
      help: 'Room that is left on the disk of a folder: media is CARILLON_MEDIA_DIR.',
      labelNames: ['folder'],
      registers,
    }),
    diskSize: new Gauge({
      name: 'carillon_disk_size_bytes',
      help: 'The size of the disk of a folder.',
      labelNames: ['folder'],
      registers,
    }),
    auditRefused: new Gauge({
      name: 'carillon_audit_refused_entries',
      help: 'Entries that this worker did not add to an audit log, because the log was changed in the database.',
      registers,
    }),
    draining: new Gauge({ name: 'carillon_draining', help: '1 while this process is stopping.', registers }),
  }
}

/** Read from the database and the engine when the metrics are requested. Every process reports the same values. */
function figureMetrics(registers: Registry[]) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const perChore = (name: string, help: string) => new Gauge({ name, help, labelNames: ['chore'], registers })
  const perPlatform = (name: string, help: string) => new Gauge({ name, help, labelNames: ['platform'], registers })
  return {
    databaseUp: gauge('carillon_database_up', '1 if the database answered the queries for these metrics in time.'),
    engineUp: gauge('carillon_engine_up', '1 if the engine answered a request of this process in time.'),
    heartbeatAge: gauge(
      'carillon_heartbeat_age_seconds',
      'Time since a heartbeat last came back from a worker through the engine to the database.',
    ),
    choreAge: perChore('carillon_chore_last_success_age_seconds', 'Time since the last successful pass of a chore.'),
    choreAllowedAge: perChore(
      'carillon_chore_allowed_age_seconds',
      'How old the last successful pass may be before the chore counts as stopped.',
    ),
    choreDuration: perChore('carillon_chore_duration_seconds', 'How long the last pass of a chore took.'),
    choreNext: perChore('carillon_chore_next_seconds', 'Time until the next pass of a chore; negative if it is late.'),
    choreFailures: perChore('carillon_chore_failed_passes', 'Passes of a chore that failed or were abandoned, since it exists.'),
    fenced: gauge('carillon_fenced', '1 while sending is stopped because the database may have been restored.'),
    unchecked: gauge(
      'carillon_witness_unchecked',
      '1 while sending is stopped because no worker has compared the database with its witness.',
    ),
    epoch: gauge('carillon_cell_epoch', 'Rises when an operator accepts the database after a fence.'),
    oldestOverdue: gauge(
      'carillon_oldest_overdue_seconds',
      'How long the longest waiting channel is past its time without being sent, claimed or not; 0 if none is.',
    ),
    overdue: gauge(
      'carillon_channels_overdue',
      'Channels past their time that are not sent yet, claimed or not, counted up to 10000. What waits for a reason does not count.',
    ),
    overdueWorkspaces: gauge('carillon_workspaces_overdue', 'The workspaces of these channels.'),
    waiting: new Gauge({
      name: 'carillon_channels_waiting',
      help: 'Channels past their due time that wait for a rate limit, an account or a server, counted up to 10000.',
      labelNames: ['reason'],
      registers,
    }),
    preparing: gauge('carillon_channels_preparing', 'Channels past their time whose files are being transferred, up to 10000.'),
    inDoubt: gauge('carillon_channels_in_doubt', 'Channels sent over a minute ago and without an answer, up to 10000.'),
    unknownPlatform: gauge(
      'carillon_channels_unknown_platform',
      'Due channels of platforms that this release does not know: they wait for one that does. Counted up to 10000.',
    ),
    inProgress: gauge('carillon_channels_in_progress', 'Channels that are claimed or being sent, counted up to 10000.'),
    stuck: gauge(
      'carillon_channels_stuck',
      'Channels in progress whose worker should have finished them a minute ago, counted up to 10000.',
    ),
    eventsWaiting: gauge('carillon_events_waiting', 'Events that are not yet turned into webhook deliveries, up to 10000.'),
    eventsOldest: gauge('carillon_events_oldest_seconds', 'The age of the oldest of these events; 0 if there is none.'),
    deliveriesWaiting: gauge('carillon_webhook_deliveries_waiting', 'Webhook deliveries that are due and wait, up to 10000.'),
    deliveriesInProgress: gauge('carillon_webhook_deliveries_in_progress', 'Webhook deliveries being attempted, up to 10000.'),
    mailsWaiting: gauge('carillon_mails_waiting', 'Mails in the queue, counted up to 10000.'),
    mailsOldest: gauge('carillon_mails_oldest_due_seconds', 'How long the oldest mail is past its time; 0 if none is.'),
    needReconnect: perPlatform('carillon_connections_need_reconnect', 'Accounts that a person must connect again, up to 10000.'),
    expiring: perPlatform(
      'carillon_connections_expiring',
      'Accounts whose permission ends within 7 days and that only a person can renew, up to 10000.',
    ),
    figuresAge: gauge('carillon_figures_age_seconds', 'The age of the values that were read from the database.'),
  }
}

export function getMetrics(ctx: Pick<Context, 'resources'>): Metrics {
  // The creating function does not use its argument.
  return ctx.resources.get(createMetrics, ctx as Context)
}

/** The class of an HTTP status, such as `2xx`: a label with few values. */
export function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}
