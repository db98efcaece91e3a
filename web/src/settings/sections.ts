/** The parts of the settings, in the order of the navigation. */
export const workspaceSections = ['workspace', 'members', 'webhooks', 'plan', 'audit'] as const
export const personSections = ['profile', 'security'] as const

/** Only for the operators of this installation. */
export const installationSections = ['operator'] as const

export type Section = (typeof workspaceSections)[number] | (typeof personSections)[number] | (typeof installationSections)[number]

const sections: readonly Section[] = [...workspaceSections, ...personSections, ...installationSections]

export function sectionOf(name: string | undefined): Section {
  return sections.find((section) => section === name) ?? 'workspace'
}
