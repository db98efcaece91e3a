import type { GuideStep, GuideValue, PasteText } from '@carillon/connectors/guide'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyText } from '../../ui/copy-text.tsx'
import { GuideWords } from './guide-words.tsx'

type Values = Readonly<Record<GuideValue, string>>

/** The numbered steps of a guide. `children` are further steps that the page adds itself. */
export function GuideSteps({ steps, values, children }: { steps: readonly GuideStep[]; values: Values; children?: ReactNode }) {
  return (
    <ol className="flex flex-col gap-7 [counter-reset:step]">
      {steps.map((step) => (
        <Step key={step.title.en} title={<GuideWords words={step.title} />}>
          {step.text.map((words) => (
            <p key={words.en} className="max-w-[68ch] text-quiet">
              <GuideWords words={words} />
            </p>
          ))}
          <StepValues names={step.values ?? []} values={values} />
          {step.paste?.map((each) => (
            <Paste key={each.label.en} paste={each} values={values} />
          ))}
        </Step>
      ))}
      {children}
    </ol>
  )
}

export function Step({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 [counter-increment:step] before:figures before:flex before:size-7 before:items-center before:justify-center before:rounded-full before:bg-sunken before:text-sm before:font-medium before:text-quiet before:content-[counter(step)]">
      <div className="flex min-w-0 flex-col gap-3 pt-0.5">
        <h4 className="text-base font-semibold">{title}</h4>
        {children}
      </div>
    </li>
  )
}

function StepValues({ names, values }: { names: readonly GuideValue[]; values: Values }) {
  const { t } = useTranslation('platforms')
  if (names.length === 0) return null
  return (
    <dl className="flex flex-col gap-3">
      {names.map((name) => (
        <div key={name} className="flex min-w-0 flex-col gap-1">
          <dt className="text-sm font-medium">{t(`values.${name}`)}</dt>
          <dd>
            <CopyText label={t(`values.${name}`)} text={values[name]} copyLabel={t('copy')} copiedLabel={t('copied')} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Reviewers read English, so the text is English in every language. */
function Paste({ paste: { label, text }, values }: { paste: PasteText; values: Values }) {
  const { t, i18n } = useTranslation('platforms')
  const filled = text.replaceAll('{name}', values.name).replaceAll('{site}', values.website)
  const name = i18n.language === 'de' ? label.de : label.en
  return (
    <details>
      <summary className="w-fit cursor-pointer py-1 text-sm text-quiet hover:text-ink">
        {t('steps.paste', { label: name })}
      </summary>
      <div className="mt-2" lang="en">
        <CopyText label={name} text={filled} copyLabel={t('copy')} copiedLabel={t('copied')} />
      </div>
    </details>
  )
}
