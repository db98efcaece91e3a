import { isOfShape, type Connector } from '@carillon/connectors'
import { fitFormat, textWithLink } from '@carillon/core'
import { Value } from 'typebox/value'
import { listSchemaProblems } from '../../infra/http/schemas/create-validator.ts'
import type { ChannelFields } from './post-fields.ts'
import type { Detail } from '../../infra/problem/problem.ts'

/** Most posts set nothing, so the completed defaults of each platform are computed once. */
const defaultSettings = new WeakMap<Connector, Record<string, unknown>>()

/** Fills in the platform's defaults for the settings that a post does not give. */
function completeSettings(connector: Connector, given: Record<string, unknown>): Record<string, unknown> {
  const complete = () => Value.Default(connector.settings, { ...given }) as Record<string, unknown>
  if (Object.keys(given).length > 0) return complete()
  const known = defaultSettings.get(connector) ?? complete()
  defaultSettings.set(connector, known)
  return known
}

/** The settings for one connection, with what the post says for all: that it was made with AI. The connection's own choice counts more. */
export function settingsOf(connector: Connector, { settings, aiGenerated }: Pick<ChannelFields, 'settings' | 'aiGenerated'>) {
  const { aiLabel } = connector.manifest
  return completeSettings(connector, aiGenerated && aiLabel ? { [aiLabel.setting]: true, ...settings } : settings)
}

/** The first post of a channel as it is sent. An approval is bound to this too, so both must come from here. */
export function composeDraft<File>(connector: Connector, fields: ChannelFields, media: readonly File[]) {
  const { title, linkUrl } = fields
  const format = fitFormat({ type: fields.type, format: fields.contentFormat }, connector.manifest)
  const text = textWithLink({ format, text: fields.text ?? '', linkUrl }, connector.manifest)
  return { format, text, title, linkUrl, media, settings: settingsOf(connector, fields), replyTo: null }
}

/** Lists what is wrong with the given settings. The fast shape check comes first because settings are almost always valid. */
export function settingProblems(connector: Connector, given: Record<string, unknown>): Detail[] {
  const settings = completeSettings(connector, given)
  return isOfShape(connector.settings, settings) ? [] : listSchemaProblems(connector.settings, settings)
}
