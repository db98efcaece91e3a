import { hasAiLabel, hasLink } from '@carillon/core'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { TextArea } from '../../ui/form/text-area.tsx'
import { useCompose } from '../compose-context.ts'
import { channelDraft, fieldOf } from '../state/channel-draft.ts'
import type { Account } from '../state/findings.ts'
import { OwnMark } from './own-mark.tsx'
import { useFieldError } from './use-describe-finding.ts'

const names = ['linkUrl', 'title', 'firstComment'] as const
type ExtraName = (typeof names)[number]

/** Link, title and first comment: most posts have none, so that each appears when it is wanted. */
export function ExtraFields() {
  const { t } = useTranslation('compose')
  const { state, accounts } = useCompose()
  const [opened, setOpened] = useState<ReadonlySet<ExtraName>>(new Set())
  const shown = accounts.filter(({ slug }) => state.tab === null || slug === state.tab)
  const isTaken = (name: ExtraName) =>
    name === 'linkUrl' || shown.length === 0 || shown.some(({ platform }) => platform.can[name])
  const isOpen = (name: ExtraName) => opened.has(name) || fieldOf(state, state.tab, name) !== ''
  const open = (name: ExtraName) => {
    setOpened(new Set([...opened, name]))
    // The field exists after the next paint.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`#compose-${name}`)?.focus())
  }
  const closed = names.filter((name) => isTaken(name) && !isOpen(name))
  return (
    <div className="flex flex-col gap-4">
      {names.filter(isOpen).map((name) => (
        <ExtraField key={name} name={name} />
      ))}
      {closed.length > 0 && (
        <div className="-ml-2.5 flex flex-wrap gap-2">
          {closed.map((name) => (
            <Button key={name} size="sm" variant="quiet" icon={<Plus aria-hidden />} onClick={() => open(name)}>
              {t(`extra.${name}.label`)}
            </Button>
          ))}
        </div>
      )}
      {state.tab === null && <AiLabelField />}
    </div>
  )
}

/** For all accounts at once. In the tab of an account, a platform that has the label shows it among its settings. */
function AiLabelField() {
  const { t } = useTranslation('compose')
  const { state, dispatch, accounts } = useCompose()
  const isOn = state.aiGenerated ?? false
  // A platform that does not take the post yet, because its picture is missing, is not one without a label.
  const isMissing = ({ slug, platform }: Account) => {
    const draft = channelDraft(state, slug)
    return !hasAiLabel(draft, platform) && (platform.aiLabel === null || platform.formats.includes(draft.format))
  }
  const without = accounts.filter(isMissing)
  const platforms = [...new Set(without.map(({ platform }) => platform.name))].join(', ')
  const missing = without.length === accounts.length ? 'extra.aiGenerated.none' : 'extra.aiGenerated.without'
  return (
    <Checkbox
      label={t('extra.aiGenerated.label')}
      note={isOn && platforms !== '' ? t(missing, { platforms }) : t('extra.aiGenerated.note')}
      checked={isOn}
      onChange={(isAi) => dispatch({ type: 'labelAi', isAi })}
    />
  )
}

function ExtraField({ name }: { name: ExtraName }) {
  const { t } = useTranslation('compose')
  const { state, dispatch, accounts } = useCompose()
  const error = useFieldError(name)
  // Then it does not follow the text.
  const hasLinkInText = (slug: string) => hasLink(fieldOf(state, slug, 'text'), fieldOf(state, slug, 'linkUrl'))
  const without = accounts.filter(
    ({ slug, platform }) => (state.tab ?? slug) === slug && !platform.can[name] && !(name === 'linkUrl' && hasLinkInText(slug)),
  )
  const platforms = [...new Set(without.map(({ platform }) => platform.name))].join(', ')
  const value = fieldOf(state, state.tab, name)
  const write = (next: string) => dispatch({ type: 'write', field: name, value: next })
  return (
    <Field
      label={t(`extra.${name}.label`)}
      error={error}
      aside={<OwnMark field={name} />}
      hint={platforms === '' ? undefined : t(`extra.${name}.without`, { platforms })}
    >
      {name === 'firstComment' ? (
        <TextArea
          id={`compose-${name}`}
          rows={2}
          value={value}
          maxLength={25_000}
          onChange={(event) => write(event.target.value)}
        />
      ) : (
        <Input
          id={`compose-${name}`}
          type={name === 'linkUrl' ? 'url' : 'text'}
          maxLength={name === 'title' ? 500 : 2048}
          {...(name === 'linkUrl' && { placeholder: 'https://', inputMode: 'url' as const })}
          value={value}
          onChange={(event) => write(event.target.value)}
        />
      )}
    </Field>
  )
}
