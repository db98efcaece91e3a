import type { Context } from '../context.ts'
import { dispatchPulls, planPullsForFollowers } from '../features/analytics/dispatch-pulls.ts'
import { foldHistory } from '../features/analytics/history/fold-history.ts'
import { sealAudit } from '../features/audit/seal-audit.ts'
import { trimAudit } from '../features/audit/trim-audit.ts'
import { announceExpiring } from '../features/connections/announce-expiring.ts'
import { renewEarly, renewEarlyEveryMs } from '../features/connections/renew-token.ts'
import { sweepDisconnected } from '../features/connections/sweep-disconnected.ts'
import { sweepLiveEvents } from '../features/live/sweep-live-events.ts'
import { sweepStorage } from '../features/media/sweep-storage.ts'
import { deleteOldNotices, sendDigests } from '../features/notices/send-digests.ts'
import { sweepOauth } from '../features/oauth/sweep-oauth.ts'
import { sweepAccounts } from '../features/people/sweep-accounts.ts'
import { remindOverdue } from '../features/posts/approval/remind-overdue.ts'
import { createTallyCompactor } from '../features/posts/reading/create-tally-compactor.ts'
import { applyTimeZoneRules } from '../features/posts/schedule/apply-time-zone-rules.ts'
import { waitForQuiet } from '../features/publishing/send/in-flight.ts'
import { askAboutDoubted } from '../features/restore/ask-about-doubted.ts'
import { makeSeriesPosts } from '../features/series/make-due.ts'
import type { Chore } from '../infra/chores/run-chores.ts'
import { sweepOldRows } from '../infra/db/sweep-old-rows.store.ts'
import { createDeploymentRemover } from '../infra/engine/deployments.ts'

/** Longer than one statement on a silent database connection, so that the statement fails first and the log names the cause. */
const deadlineMs = 45_000
/** For chores that call other services for many items in one pass. */
const longDeadlineMs = 600_000

/**
 * What happens once per installation every so often. The engine has a timer for each. While the engine is away none of these runs, and that is
 * why they may be here: no post is sent then, nothing below is urgent by less than minutes, and each finds everything that waited.
 */
export function listChores(ctx: Context): Chore[] {
  const once = (work: () => Promise<void>) => () => work().then(() => false)
  const chore = (name: string, everyMs: number, work: () => Promise<boolean>) => ({ name, everyMs, deadlineMs, work })
  const longChore = (name: string, everyMs: number, work: () => Promise<boolean>) => ({
    ...chore(name, everyMs, work),
    deadlineMs: longDeadlineMs,
  })
  const quiet = (work: () => Promise<boolean>) => () => waitForQuiet(ctx).then(work)
  return [
    // A pull is made by a run of the engine anyway.
    chore(
      'pulls',
      5_000,
      once(() => dispatchPulls(ctx)),
    ),
    chore(
      'followers',
      60_000,
      once(() => planPullsForFollowers(ctx)),
    ),
    longChore('series', 5_000, () => makeSeriesPosts(ctx)),
    chore('tally', 10_000, once(createTallyCompactor(ctx))),
    longChore('doubted', 10_000, () => askAboutDoubted(ctx)),
    longChore(
      'tokens',
      renewEarlyEveryMs,
      once(() => renewEarly(ctx)),
    ),
    chore('expiring', 15_000, () => announceExpiring(ctx)),
    chore('old releases', 15_000, once(removeOldReleases(ctx))),
    longChore(
      'digests',
      30_000,
      once(() => sendDigests(ctx)),
    ),
    chore('overdue approvals', 30_000, () => remindOverdue(ctx)),
    chore(
      'disconnected',
      30_000,
      once(() => sweepDisconnected(ctx)),
    ),
    longChore(
      'audit values',
      60_000,
      once(() => sealAudit(ctx)),
    ),
    chore('live events', 60_000, () => sweepLiveEvents(ctx)),
    chore(
      'old notices',
      600_000,
      once(() => deleteOldNotices(ctx)),
    ),
    longChore('files', 600_000, () => sweepStorage(ctx)),
    chore(
      'accounts',
      600_000,
      once(() => sweepAccounts(ctx)),
    ),
    chore('old rows', 600_000, () => sweepOldRows(ctx.db.system)),
    chore(
      'old figures',
      600_000,
      quiet(() => foldHistory(ctx)),
    ),
    chore(
      'old audit entries',
      600_000,
      quiet(() => trimAudit(ctx)),
    ),
    chore(
      'programs',
      3_600_000,
      once(() => sweepOauth(ctx)),
    ),
    // After an upgrade brought new rules, posts of the next minutes may have to move.
    longChore(
      'zones',
      60_000,
      once(() => applyTimeZoneRules(ctx)),
    ),
  ]
}

function removeOldReleases({ config, log }: Context): () => Promise<void> {
  const removeDrained = createDeploymentRemover({ adminUrl: config.restateAdminUrl, workerUrl: config.workerUrl })
  return async () => {
    const removed = await removeDrained()
    if (removed.length > 0)
      log.info({ removed }, 'everything that began on earlier releases has ended; their addresses are removed')
  }
}
