import type { Finished } from './seed.ts'
import type { Violation } from './violation.ts'
import type { World } from './world.ts'

/** A seed in figures: what is printed, and what is kept. */
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
  /** From the first request to the last post at rest. */
  seconds: number
}

export function figuresOf({ plan, stories, strikes, findings, finishedMs }: Finished, violations: readonly Violation[]): Figures {
  const channels = findings.posts.flatMap((post) => post.channels)
  const count = (kind: Violation['kind']) => violations.filter((violation) => violation.kind === kind).length
  const [lost, doubled] = [count('lost'), count('doubled')]
  return {
    seed: plan.seed,
    posts: stories.length,
    channels: stories.reduce((sum, { connections }) => sum + connections.length, 0),
    kills: plan.kills.length,
    faults: strikes.total,
    unconfirmed: channels.filter(({ status }) => status === 'unconfirmed').length,
    lost,
    doubled,
    other: violations.length - lost - doubled,
    seconds: Math.round(finishedMs / 100) / 10,
  }
}

export function lineOf(figures: Figures, struck: Finished['struck']): string {
  const { seed, posts, channels, faults, unconfirmed, lost, doubled, other, seconds } = figures
  const kills = struck.map(({ part, atMs, upAtMs }) => `${part} ${((upAtMs - atMs) / 1000).toFixed(1)}s`).join(' ')
  const bad = lost + doubled + other > 0 ? `  VIOLATIONS: ${lost} lost, ${doubled} doubled, ${other} other` : ''
  return `seed ${seed}: ${posts} posts, ${channels} channels, kills [${kills}], ${faults} faults, ${unconfirmed} unconfirmed, ${seconds} s${bad}`
}

/** Everything somebody needs to understand a violation, and to see it again. */
export function evidenceOf(
  world: World,
  { plan, stories, findings, beganMs }: Finished,
  violations: readonly Violation[],
): string {
  const texts = new Set(violations.map(({ text }) => text.replace(/ first comment$/, ' rings once')))
  const lines = violations.map(({ kind, text, detail }) => `  ${kind}: "${text}" ${detail}`)
  const kills = world.victims.history
    .filter(({ upAtMs }) => upAtMs === 0 || upAtMs >= beganMs)
    .map(
      ({ part, atMs, upAtMs, isCrash }) =>
        `    ${atMs - beganMs} ms ${part} ${isCrash ? 'CRASHED' : 'killed'}, up at ${upAtMs - beganMs} ms`,
    )
  const concerned = stories
    .filter(({ text }) => texts.has(text))
    .flatMap((story) => [
      `  "${story.text}" ${JSON.stringify(story.plan)}`,
      `    due ${story.earliestMs - beganMs} ms, wish ${story.wish}${story.stoppedAtMs ? ` at ${story.stoppedAtMs - beganMs} ms` : ''}`,
      ...story.log.map((line) => `    ${line}`),
      ...findings.posts
        .filter(({ text }) => text === story.text)
        .map((post) => `    api: ${post.status} ${post.id} ${JSON.stringify(post.channels)}`),
      ...findings.shown
        .filter(({ text }) => text === story.text || text === story.comment)
        .map(
          ({ platform, handle, id, atMs, text }) => `    shown: ${platform}/${handle} ${id} at ${atMs - beganMs} ms "${text}"`,
        ),
    ])
  return [
    `--- seed ${plan.seed}: violations (again with: pnpm chaos --seed ${plan.seed})`,
    ...lines,
    `  began ${new Date(beganMs).toISOString()}; kills since, of later seeds too:`,
    ...kills,
    `  plan of faults: ${JSON.stringify(plan.faults)}`,
    ...concerned,
    `  logs: ${world.logFiles.join(' ')}`,
  ].join('\n')
}
