import type { FinishedSeed } from './run-seed.ts'
import type { Violation } from './violation.ts'
import type { ChaosStack } from './chaos-stack.ts'

/** The figures of a seed, which are printed and recorded. */
export type Figures = {
  seed: number
  posts: number
  channels: number
  kills: number
  faults: number
  unconfirmed: number
  lost: number
  doubled: number
  other: number
  eventsMissing?: number
  /** From the first request until no post changes any more. */
  seconds: number
}

export function figuresOf(
  { plan, expectedPosts, faultCounts, findings, finishedMs }: FinishedSeed,
  violations: readonly Violation[],
): Figures {
  const channels = findings.posts.flatMap((post) => post.channels)
  const count = (kind: Violation['kind']) => violations.filter((violation) => violation.kind === kind).length
  const [lost, doubled] = [count('lost'), count('doubled')]
  return {
    seed: plan.seed,
    posts: expectedPosts.length,
    channels: expectedPosts.reduce((sum, { connections }) => sum + connections.length, 0),
    kills: plan.kills.length,
    faults: faultCounts.total,
    unconfirmed: channels.filter(({ status }) => status === 'unconfirmed').length,
    lost,
    doubled,
    other: violations.length - lost - doubled,
    seconds: Math.round(finishedMs / 100) / 10,
  }
}

export function formatLine(figures: Figures, outages: FinishedSeed['outages']): string {
  const { seed, posts, channels, faults, unconfirmed, lost, doubled, other, seconds } = figures
  const kills = outages.map(({ part, atMs, upAtMs }) => `${part} ${((upAtMs - atMs) / 1000).toFixed(1)}s`).join(' ')
  const bad = lost + doubled + other > 0 ? `  VIOLATIONS: ${lost} lost, ${doubled} doubled, ${other} other` : ''
  return `seed ${seed}: ${posts} posts, ${channels} channels, kills [${kills}], ${faults} faults, ${unconfirmed} unconfirmed, ${seconds} s${bad}`
}

/** Everything that is needed to understand a violation and to reproduce it. */
export function formatEvidence(
  stack: ChaosStack,
  { plan, expectedPosts, findings, beganMs }: FinishedSeed,
  violations: readonly Violation[],
): string {
  const texts = new Set(violations.map(({ text }) => text.replace(/ first comment$/, ' post')))
  const lines = violations.map(({ kind, text, detail }) => `  ${kind}: "${text}" ${detail}`)
  const kills = stack.supervisor.history
    .filter(({ upAtMs }) => upAtMs === 0 || upAtMs >= beganMs)
    .map(
      ({ part, atMs, upAtMs, isCrash }) =>
        `    ${atMs - beganMs} ms ${part} ${isCrash ? 'CRASHED' : 'killed'}, up at ${upAtMs - beganMs} ms`,
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
      ...findings.platformPosts
        .filter(({ text }) => text === expected.text || text === expected.comment)
        .map(
          ({ platform, handle, id, atMs, text }) =>
            `    on the platform: ${platform}/${handle} ${id} at ${atMs - beganMs} ms "${text}"`,
        ),
    ])
  return [
    `--- seed ${plan.seed}: violations (reproduce with: pnpm chaos --seed ${plan.seed})`,
    ...lines,
    `  began ${new Date(beganMs).toISOString()}; kills since then, including those of later seeds:`,
    ...kills,
    `  planned faults: ${JSON.stringify(plan.faults)}`,
    ...affectedPosts,
    `  logs: ${stack.logFiles.join(' ')}`,
  ].join('\n')
}
