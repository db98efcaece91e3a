/** The parts of the settings, in the order of the navigation. */
const workspaceSections = ['workspace', 'members', 'queue', 'labels', 'transfer', 'webhooks', 'plan', 'audit'] as const
export const personSections = ['profile', 'notices', 'security', 'programs', 'my-webhooks'] as const

/** Only for the operators of this installation. */
export const installationSections = ['platforms', 'operator'] as const

type WorkspaceSection = (typeof workspaceSections)[number]
export type Section = WorkspaceSection | (typeof personSections)[number] | (typeof installationSections)[number]

/** Without plans there is no page about them: what is used is a part of the workspace then. */
export function workspaceSectionsOf({ hasPlans }: { hasPlans: boolean }): readonly WorkspaceSection[] {
  return workspaceSections.filter((section) => section !== 'plan' || hasPlans)
}

export function sectionOf(name: string | undefined, workspace: { hasPlans: boolean }): Section {
  const sections: readonly Section[] = [...workspaceSectionsOf(workspace), ...personSections, ...installationSections]
  return sections.find((section) => section === name) ?? 'workspace'
}
