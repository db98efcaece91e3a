import { isOfShape, type Connector } from '@carillon/connectors'
import { Value } from 'typebox/value'
import { listSchemaProblems } from '../../infra/http/schemas/create-validator.ts'
import type { Detail } from '../../infra/problem/problem.ts'

/** Most posts set nothing, so the completed defaults of each platform are computed once. */
const defaultSettings = new WeakMap<Connector, Record<string, unknown>>()

/** Fills in the platform's defaults for the settings that a post does not give. */
export function completeSettings(connector: Connector, given: Record<string, unknown>): Record<string, unknown> {
  const complete = () => Value.Default(connector.settings, { ...given }) as Record<string, unknown>
  if (Object.keys(given).length > 0) return complete()
  const known = defaultSettings.get(connector) ?? complete()
  defaultSettings.set(connector, known)
  return known
}

/** Lists what is wrong with the given settings. The fast shape check comes first because settings are almost always valid. */
export function settingProblems(connector: Connector, given: Record<string, unknown>): Detail[] {
  const settings = completeSettings(connector, given)
  return isOfShape(connector.settings, settings) ? [] : listSchemaProblems(connector.settings, settings)
}
