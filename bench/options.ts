import { parseArgs } from 'node:util'

/** The options of the scenarios. Each scenario has its own defaults. */
export type Options = {
  channels?: number
  rounds?: number
  seconds?: number
  leadSeconds?: number
  accounts?: number
  posts?: number
  workspaces?: number
  files?: number
  outageSeconds?: number
  minutes?: number
  warmUpMinutes?: number
  perSecond?: number
  /** The part of a processor core that a limited process gets. */
  share?: number
  /** Waits as short as possible, for a run that only shows that the scenario works. */
  short: boolean
  profile: boolean
  slowRound: boolean
  explain: boolean
}

export function readOptions(args: readonly string[]): { names: string[]; options: Options } {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      channels: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      lead: { type: 'string' },
      accounts: { type: 'string' },
      posts: { type: 'string' },
      workspaces: { type: 'string' },
      files: { type: 'string' },
      outage: { type: 'string' },
      minutes: { type: 'string' },
      'warm-up': { type: 'string' },
      rate: { type: 'string' },
      share: { type: 'string' },
      profile: { type: 'boolean', default: false },
      explain: { type: 'boolean', default: false },
      'no-slow': { type: 'boolean', default: false },
    },
  })
  const number = <K extends string>(name: K, text: string | undefined) =>
    text === undefined ? {} : ({ [name]: Number(text) } as Record<K, number>)
  return {
    names: positionals,
    options: {
      ...number('channels', values.channels),
      ...number('rounds', values.rounds),
      ...number('seconds', values.seconds),
      ...number('leadSeconds', values.lead),
      ...number('accounts', values.accounts),
      ...number('posts', values.posts),
      ...number('workspaces', values.workspaces),
      ...number('files', values.files),
      ...number('outageSeconds', values.outage),
      ...number('minutes', values.minutes),
      ...number('warmUpMinutes', values['warm-up']),
      ...number('perSecond', values.rate),
      ...number('share', values.share),
      short: values.short,
      profile: values.profile,
      slowRound: !values['no-slow'],
      explain: values.explain,
    },
  }
}
