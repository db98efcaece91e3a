import type { Guide, GuideStep, GuideValue, PasteText } from '@carillon/connectors/guide'
import { guides } from '@carillon/connectors/guides'
import type { Platform } from '@carillon/sdk'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ExternalLink, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlatformApp } from '../../api/platform-apps.ts'
import { platformsList } from '../../api/queries.gen.ts'
import { ConnectButton } from '../../connections/connect-button.tsx'
import { PlatformMark } from '../../connections/platform-mark.tsx'
import { usePlatformName } from '../../connections/use-start-connect.ts'
import { pickWords } from '../../i18n/language.ts'
import { buttonLook } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { useMay, useWorkspace } from '../../workspaces/use-workspace.ts'
import { SettingGroup } from '../setting-group.tsx'
import { AppForm } from './app-form.tsx'
import { GuideWords } from './guide-words.tsx'
import { PlatformState } from './platform-state.tsx'

/** One platform, from nothing to the first post and through the review. */
export function PlatformPage({ subject }: { subject: PlatformApp }) {
  const { t } = useTranslation('platforms')
  const { id: workspaceId } = useWorkspace()
  const name = usePlatformName()(subject.platform)
  const { data: guide } = useSuspenseQuery({
    queryKey: ['guide', subject.platform],
    queryFn: async () => (await guides[subject.platform as Platform]()).guide,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      <Link
        to="/w/$workspaceId/settings/$section"
        params={{ workspaceId, section: 'platforms' }}
        search={{}}
        className="flex items-center gap-2 self-start"
      >
        <ArrowLeft aria-hidden className="size-[18px]" />
        {t('back')}
      </Link>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <PlatformMark platform={subject.platform} className="size-6" />
          <h3 className="font-serif text-xl">{name}</h3>
          <PlatformState subject={subject} />
        </div>
        <p className="max-w-[68ch]">
          <GuideWords words={guide.summary} />
        </p>
        <Facts guide={guide} />
      </div>
      <SettingGroup title={t('steps.title')} actions={<Console url={subject.portalUrl} />}>
        <GuideSteps steps={guide.steps} values={subject.values}>
          {guide.app && (
            <Step title={t('steps.enter')}>
              <AppForm subject={subject} fields={guide.app} name={name} />
            </Step>
          )}
          <Step title={t('steps.connect')}>
            <FirstAccount subject={subject} name={name} />
          </Step>
        </GuideSteps>
      </SettingGroup>
      {guide.review && (
        <SettingGroup title={t('review.title')} description={<GuideWords words={guide.review.intro} />}>
          <details>
            <summary className="w-fit cursor-pointer py-1 text-quiet hover:text-ink">{t('review.show')}</summary>
            <div className="mt-4">
              <GuideSteps steps={guide.review.steps} values={subject.values} />
            </div>
          </details>
        </SettingGroup>
      )}
      <Problems guide={guide} />
      <Sources guide={guide} />
    </>
  )
}

const factNames = ['who', 'money', 'wait', 'ends'] as const

function Facts({ guide }: { guide: Guide }) {
  const { t } = useTranslation('platforms')
  return (
    <dl className="grid gap-x-8 gap-y-4 rounded-card border border-line bg-surface p-4 sm:grid-cols-2">
      {factNames.map((fact) => (
        <div key={fact} className="min-w-0">
          <dt className="text-sm text-quiet">{t(`facts.${fact}`)}</dt>
          <dd>
            <GuideWords words={guide.facts[fact]} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Console({ url }: { url: string | null }) {
  const { t } = useTranslation('platforms')
  if (url === null) return null
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonLook({})}>
      <ExternalLink aria-hidden />
      {t('steps.console')}
      <span className="sr-only">{t('steps.newTab')}</span>
    </a>
  )
}

function FirstAccount({ subject, name }: { subject: PlatformApp; name: string }) {
  const { t } = useTranslation('platforms')
  const isAdmin = useMay('admin')
  const { data: platforms } = useQuery(platformsList())
  const info = platforms?.find(({ platform }) => platform === subject.platform)
  // With an app that is simulated, entering one of your own comes first.
  const isNext = !subject.needsApp || subject.app?.source !== 'simulator'
  if (subject.needsApp && subject.app === null) return <p className="text-quiet">{t('steps.connectLater')}</p>
  if (!isAdmin) return <p className="text-quiet">{t('steps.onlyAdmins')}</p>
  return (
    <>
      <p className="max-w-[68ch] text-quiet">{t('steps.connectText', { platform: name })}</p>
      {info?.connect.available === true && (
        <span className="self-start">
          <ConnectButton info={info} variant={isNext ? 'primary' : 'secondary'} icon={<Plus aria-hidden />}>
            {t('steps.connectButton')}
          </ConnectButton>
        </span>
      )}
    </>
  )
}

function Problems({ guide }: { guide: Guide }) {
  const { t } = useTranslation('platforms')
  return (
    <SettingGroup title={t('problems.title')}>
      <dl className="flex flex-col gap-4">
        {guide.problems.map(({ sign, cure }) => (
          <div key={sign.en}>
            <dt className="font-medium">
              <GuideWords words={sign} />
            </dt>
            <dd className="max-w-[68ch] text-quiet">
              <GuideWords words={cure} />
            </dd>
          </div>
        ))}
      </dl>
    </SettingGroup>
  )
}

function Sources({ guide }: { guide: Guide }) {
  const { t, i18n } = useTranslation('platforms')
  const day = (date: string) => new Date(date).toLocaleDateString(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' })
  return (
    <SettingGroup title={t('sources.title')} description={t('sources.text', { date: day(guide.checkedOn) })}>
      <ul className="flex flex-col gap-1 text-sm text-quiet">
        {guide.sources.map(({ url, on }) => (
          <li key={url} className="wrap-anywhere">
            <a href={url} target="_blank" rel="noreferrer" className="text-bell">
              {url.replace('https://', '')}
              <span className="sr-only"> {t('steps.newTab')}</span>
            </a>
            , {t('sources.asOf', { date: day(on) })}
          </li>
        ))}
      </ul>
    </SettingGroup>
  )
}

type Values = Readonly<Record<GuideValue, string>>

/** The numbered steps of a guide. `children` are further steps that the page adds itself. */
function GuideSteps({ steps, values, children }: { steps: readonly GuideStep[]; values: Values; children?: ReactNode }) {
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

function Step({ title, children }: { title: ReactNode; children: ReactNode }) {
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
  const name = pickWords(label, i18n.language)
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
