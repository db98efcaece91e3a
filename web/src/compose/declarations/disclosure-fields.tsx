import { useTranslation } from 'react-i18next'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Switch } from '../../ui/form/switch.tsx'
import { useCompose } from '../compose-context.ts'
import type { Setting } from '../editor/read-settings.ts'
import { useFieldError } from '../editor/use-describe-finding.ts'
import { findExclusion } from './exclusions.ts'
import { findSentence, readDeclarations } from './read-declarations.ts'
import type { Account } from '../state/findings.ts'

type DisclosureProps = { account: Account; setting: Setting; kinds: readonly Setting[] }

/** The switch that says that a post is advertising. Only then it is asked for whom, and what the platform will write on the post is said. */
export function DisclosureFields({ account, setting, kinds }: DisclosureProps) {
  const { i18n } = useTranslation('compose')
  const { state, dispatch } = useCompose()
  const { slug, platform } = account
  const settings = state.own[slug]?.settings ?? {}
  const declarations = readDeclarations(platform.settings, i18n.language)
  const change = (name: string, isOn: boolean) => dispatch({ type: 'changeSetting', slug, name, value: isOn ? true : undefined })
  const isOn = [setting, ...kinds].some(({ name }) => settings[name] === true)
  const label = isOn ? findSentence(declarations.labels, settings) : null
  const error = useFieldError(`settings.${setting.name}`)
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label={setting.title}
        note={setting.description ?? undefined}
        checked={isOn}
        onChange={(next) => {
          change(setting.name, next)
          if (!next) for (const { name } of kinds) change(name, false)
        }}
      />
      {isOn && (
        <div className="flex flex-col gap-3 border-l-2 border-line pl-4">
          {kinds.map(({ name, title, description }) => {
            const isChosen = settings[name] === true
            const reason = isChosen ? null : findExclusion(account, { settings, declarations }, { name, value: true })
            return (
              <div key={name} title={reason ?? undefined}>
                <Checkbox
                  label={title}
                  note={reason ?? description ?? undefined}
                  checked={isChosen}
                  disabled={reason !== null}
                  onChange={(next) => {
                    // Once it is on, taking the last tick away does not close what is open.
                    change(setting.name, true)
                    change(name, next)
                  }}
                />
              </div>
            )
          })}
          {label !== null && (
            <output className="text-sm font-medium" data-label>
              {label}
            </output>
          )}
          {error && <p className="text-sm font-medium text-rust">{error}</p>}
        </div>
      )}
    </div>
  )
}
