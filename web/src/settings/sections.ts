/** The parts of the settings, in the order of the navigation. */
export const workspaceSections = ['workspace', 'members', 'webhooks', 'plan', 'audit'] as const
export const personSections = ['profile', 'security'] as const

export type Section = (typeof workspaceSections)[number] | (typeof personSections)[number]

const sections: readonly Section[] = [...workspaceSections, ...personSections]

export function sectionOf(name: string | undefined): Section {
  return sections.find((section) => section === name) ?? 'workspace'
}
