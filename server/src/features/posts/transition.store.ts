import { channelTransitions, type ChannelTransition } from '@carillon/core'
import { sql, type RawBuilder } from 'kysely'

/** The condition that a channel is in a state from which this transition may start. */
export function mayStart(transition: ChannelTransition, column = 'c.state'): RawBuilder<boolean> {
  const states = channelTransitions[transition].from.map((state) => `'${state}'`)
  return sql.raw(`${column} in (${states.join(', ')})`)
}

/** The state that this transition leads to, as an SQL literal. */
export function endOf(transition: ChannelTransition): RawBuilder<string> {
  return sql.raw(`'${channelTransitions[transition].to}'`)
}
