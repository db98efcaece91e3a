import type { Violation } from '../judge/violation.ts'
import { kindsOf, type Plan } from '../plan/plan.ts'
import type { FinishedSeed } from '../run-seed.ts'
import type { ChaosStack } from '../stack/start-chaos-stack.ts'
import { isClean, type Figures } from './figures.ts'

export function formatPlan(plan: Plan): string {
  const faults = plan.stackFaults.map(({ kind, target, atMs, forMs }) => `${kind} (${target}) at ${atMs} ms for ${forMs} ms`)
  const permissions = plan.connectionFaults.map(
    ({ kind, platform, index, atMs }) => `${kind} (${platform} ${index}) at ${atMs} ms`,
  )
  return `seed ${plan.seed}: ${[...faults, ...permissions].join('; ')}\n  kinds: ${kindsOf(plan).join(', ')}`
}

export function formatLine(figures: Figures): string {
  const {
    seed,
    posts,
    channels,
    calls,
    carriedOut,
    platformFaults,
    unconfirmed,
    unanswered,
    timed,
    lost,
    doubled,
    events,
    other,
    seconds,
  } = figures
  const bad = isClean(figures)
    ? ''
    : `  VIOLATIONS: ${lost} lost, ${doubled} doubled, ${figures.false} false, ${events} events, ${other} other`
  return `seed ${seed}: ${posts} posts, ${channels} channels, ${calls} calls, ${carriedOut} carried out, ${platformFaults} platform faults, ${unconfirmed} unconfirmed (${unanswered} unanswered), ${timed} judged for time, ${seconds} s${bad}`
}

/** Everything that is needed to understand a violation and to reproduce it. */
export function formatEvidence(stack: ChaosStack, finished: FinishedSeed, violations: readonly Violation[]): string {
  const { plan, expectedPosts, findings, beganMs } = finished
  const texts = new Set(violations.map(({ text }) => text))
  const lines = violations.map(({ kind, text, detail }) => `  ${kind}: "${text}" ${detail}`)
  const disturbances = stack.disturbances
    .filter(({ untilMs }) => untilMs === 0 || untilMs >= beganMs)
    .map(
      ({ seed, kind, target, fromMs, untilMs }) =>
        `    ${fromMs - beganMs} to ${untilMs === 0 ? '…' : untilMs - beganMs} ms ${kind} (${target}), seed ${seed}`,
    )
  const affectedPosts = expectedPosts
    .filter(({ text }) => texts.has(text))
    .flatMap((expected) => [
      `  "${expected.text}" ${JSON.stringify(expected.plan)}`,
      `    due ${expected.earliestMs - beganMs} ms, intent ${expected.intent}${expected.stoppedAtMs ? ` at ${expected.stoppedAtMs - beganMs} ms` : ''}`,
      ...expected.log.map((line) => `    ${line}`),
      ...findings.posts
        .filter(({ text }) => text === expected.text)
        .map((post) => `    api: ${post.status} ${post.id} ${JSON.stringify(post.channels)}`),
      ...findings.submits
        .filter(({ text }) => text === expected.text || text === expected.comment)
        .map(
          ({ platform, account, operation, atMs, outcome, fault, text }) =>
            `    call: ${platform}/${account} ${operation} at ${atMs - beganMs} ms: ${outcome}${fault === null ? '' : ` (${fault})`} "${text}"`,
        ),
    ])
  return [
    `--- seed ${plan.seed}: violations (reproduce with: pnpm chaos --seed ${plan.seed}${plan.reach === 'all' ? ' --platforms all' : ''})`,
    ...lines,
    `  began ${new Date(beganMs).toISOString()}; faults of the stack since then, including those of other seeds:`,
    ...disturbances,
    `  platform faults: ${JSON.stringify(plan.platformFaults.map(({ platform, workspace, index, kinds }) => `${workspace} ${platform} ${index}: ${kinds.join(', ')}`))}`,
    `  permissions: ${JSON.stringify(finished.permissionChanges)}`,
    ...affectedPosts,
    `  logs: ${stack.logFiles.join(' ')}`,
  ].join('\n')
}
