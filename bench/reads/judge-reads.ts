import { atMost, type Outcome } from '../results.ts'
import { median, round } from '../stats.ts'
import type { Measured, Round } from './measure-reads.ts'

export type Phase = { posts: number; measured: Measured[] }

type Figures = {
  name: string
  statements: number
  apiMs: number
  bareMs: number
  ratio: number
  apiP99Ms: number
  bareP99Ms: number
}

const bareMax = 1.5

export function judgeReads(small: Phase, large: Phase): Pick<Outcome, 'figure' | 'goals' | 'data'> {
  const judged = large.measured.flatMap((each) => (each.growthMax === null ? [] : [{ ...each, growthMax: each.growthMax }]))
  const everything = [...small.measured, ...large.measured]
  const growth = (name: string) => {
    const [few, many] = [small, large].map(({ measured }) => measured.find((each) => each.name === name)?.rounds ?? [])
    return round(figure(many ?? [], 'api', 'p50') / figure(few ?? [], 'api', 'p50'))
  }
  const words = judged.map((each) => {
    const { name, ratio, apiMs } = describe(each)
    return `${name} ${apiMs} ms, ${ratio} of bare SQL, ${growth(name)} of itself with ${small.posts}`
  })
  return {
    figure: `reads with ${large.posts} posts: ${words.join('; ')}`,
    goals: [
      ...judged.map((each) => atMost(`${each.name}, time against bare SQL`, describe(each).ratio, bareMax)),
      ...judged.map(({ name, growthMax }) =>
        atMost(`${name}, time against that with ${small.posts} posts`, growth(name), growthMax),
      ),
      atMost(
        'requests refused',
        sum(everything, ({ rounds }) => sum(rounds, ({ api }) => api.refused)),
        0,
      ),
      atMost(
        'statements that differ',
        sum(everything, ({ drift }) => drift.onlyApi.length + drift.onlyBare.length),
        0,
      ),
    ],
    data: { small: small.measured.map(describe), large: large.measured.map(describe), raw: { small, large } },
  }
}

/** The ratio compares rounds that ran directly after each other, because a machine that is slow for a while is slow for both. */
function describe({ name, statements, rounds }: Measured): Figures {
  return {
    name,
    statements,
    apiMs: round(figure(rounds, 'api', 'p50')),
    bareMs: round(figure(rounds, 'bare', 'p50')),
    ratio: round(median(rounds.map(({ api, bare }) => api.latency.p50 / bare.latency.p50))),
    apiP99Ms: round(figure(rounds, 'api', 'p99')),
    bareP99Ms: round(figure(rounds, 'bare', 'p99')),
  }
}

function figure(rounds: readonly Round[], side: keyof Round, of: 'p50' | 'p99'): number {
  return median(rounds.map((each) => each[side].latency[of]))
}

function sum<T>(list: readonly T[], of: (each: T) => number): number {
  return list.reduce((total, each) => total + of(each), 0)
}
