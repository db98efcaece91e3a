import { isOfShape, type Connector } from '@carillon/connectors'
import { Value } from 'typebox/value'

/** Most posts have no settings of their own, and then all of a platform's posts have the same. */
const usual = new WeakMap<Connector, Record<string, unknown>>()

/** The platform's settings for a post: those given, and the platform's defaults for the others. */
export function completeSettings(connector: Connector, given: Record<string, unknown>): Record<string, unknown> {
  const complete = () => Value.Default(connector.settings, { ...given }) as Record<string, unknown>
  if (Object.keys(given).length > 0) return complete()
  const known = usual.get(connector) ?? complete()
  usual.set(connector, known)
  return known
}

/** What is wrong with the settings given; nothing in almost every case. */
export function settingErrors(connector: Connector, given: Record<string, unknown>) {
  const settings = completeSettings(connector, given)
  return isOfShape(connector.settings, settings) ? [] : [...Value.Errors(connector.settings, settings)]
}
