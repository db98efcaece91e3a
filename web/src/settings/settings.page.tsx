import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type ComponentType, Suspense, lazy, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorAccess } from '../api/operator.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { type Section, installationSections, personSections, sectionOf, workspaceSectionsOf } from './sections.ts'

const contents: Readonly<Record<Section, ComponentType>> = {
  workspace: lazy(async () => ({ default: (await import('./workspace/workspace-section.tsx')).WorkspaceSection })),
  members: lazy(async () => ({ default: (await import('./members/members-section.tsx')).MembersSection })),
  queue: lazy(async () => ({ default: (await import('./queue/queue-section.tsx')).QueueSection })),
  transfer: lazy(async () => ({ default: (await import('./transfer/transfer-section.tsx')).TransferSection })),
  labels: lazy(async () => ({ default: (await import('./labels/labels-section.tsx')).LabelsSection })),
  webhooks: lazy(async () => ({ default: (await import('./webhooks/webhooks-section.tsx')).WebhooksSection })),
  plan: lazy(async () => ({ default: (await import('./workspace/plan-section.tsx')).PlanSection })),
  audit: lazy(async () => ({ default: (await import('./audit/audit-section.tsx')).AuditSection })),
  profile: lazy(async () => ({ default: (await import('./person/profile-section.tsx')).ProfileSection })),
  platforms: lazy(async () => ({ default: (await import('./platforms/platforms-section.tsx')).PlatformsSection })),
  operator: lazy(async () => ({ default: (await import('./operator/operator-section.tsx')).OperatorSection })),
  'my-webhooks': lazy(async () => ({ default: (await import('./webhooks/my-webhooks-section.tsx')).MyWebhooksSection })),
  notices: lazy(async () => ({ default: (await import('./person/notices-section.tsx')).NoticesSection })),
  programs: lazy(async () => ({ default: (await import('./programs/programs-section.tsx')).ProgramsSection })),
  security: lazy(async () => ({ default: (await import('./person/security-section.tsx')).SecuritySection })),
}

export function SettingsPage() {
  const { t } = useTranslation('settings')
  const section = sectionOf(useParams({ strict: false }).section, useWorkspace())
  const Content = contents[section]
  return (
    <div className="flex max-w-6xl flex-col gap-5">
      <PageHeader title={t('title')} />
      <div className="flex min-w-0 flex-col gap-6 lg:flex-row lg:gap-10">
        <SettingsNavigation current={section} />
        <section aria-labelledby="settings-section" className="flex min-w-0 flex-1 flex-col gap-6">
          <h2 id="settings-section" className="font-serif text-xl">
            {t(`sections.${section}`)}
          </h2>
          <Suspense fallback={<SkeletonLines label={t('loading')} count={4} />}>
            <Content />
          </Suspense>
        </section>
      </div>
    </div>
  )
}

const linkLook = [
  'flex min-h-10 shrink-0 items-center rounded-control px-3 text-base whitespace-nowrap text-quiet no-underline transition-colors',
  'hover:bg-hover hover:text-ink aria-[current=page]:bg-bell-wash aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:min-h-11',
].join(' ')

/** The parts of the settings: beside the page on a wide screen, a row above it on a narrow one. */
function SettingsNavigation({ current }: { current: Section }) {
  const { t } = useTranslation('settings')
  const workspace = useWorkspace()
  const { data: isOperator = false } = useQuery(operatorAccess())
  return (
    <nav
      aria-label={t('title')}
      className="-mx-1 flex gap-1 overflow-x-auto border-b border-line px-1 pb-2 lg:mx-0 lg:w-48 lg:px-0 lg:shrink-0 lg:flex-col lg:overflow-visible lg:border-b-0"
    >
      <GroupName>{t('groups.workspace')}</GroupName>
      {workspaceSectionsOf(workspace).map((section) => (
        <SectionLink key={section} section={section} isCurrent={section === current} />
      ))}
      <Link to="/w/$workspaceId/integrations" params={{ workspaceId: workspace.id }} className={linkLook}>
        {t('sections.keys')}
      </Link>
      <GroupName>{t('groups.you')}</GroupName>
      {personSections.map((section) => (
        <SectionLink key={section} section={section} isCurrent={section === current} />
      ))}
      {isOperator && (
        <>
          <GroupName>{t('groups.installation')}</GroupName>
          {installationSections.map((section) => (
            <SectionLink key={section} section={section} isCurrent={section === current} />
          ))}
        </>
      )}
    </nav>
  )
}

function GroupName({ children }: { children: string }) {
  return <p className="hidden px-3 pt-3 pb-1 text-xs font-medium text-faint first:pt-0 lg:block">{children}</p>
}

function SectionLink({ section, isCurrent }: { section: Section; isCurrent: boolean }) {
  const { t } = useTranslation('settings')
  const { id: workspaceId } = useWorkspace()
  const link = useRef<HTMLAnchorElement>(null)
  // On a narrow screen the row scrolls sideways, and the current part may be outside of it.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [isCurrent])
  return (
    <Link
      ref={link}
      to="/w/$workspaceId/settings/$section"
      params={{ workspaceId, section }}
      search={{}}
      {...(isCurrent && { 'aria-current': 'page' as const })}
      className={linkLook}
    >
      {t(`sections.${section}`)}
    </Link>
  )
}
