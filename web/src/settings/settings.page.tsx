import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../ui/page-header.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { sectionOf, type Section } from './sections.ts'
import { SettingsNavigation } from './settings-navigation.tsx'

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
