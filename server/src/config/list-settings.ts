import { isOptional, isPerPlatform, isSetting, type SettingFacts, type SettingTree } from './setting.ts'

/** `switchedBy` is the setting that must be set for this one to be read; a setting that switches itself on has its own name there. */
export type ListedSetting = { setting: SettingFacts; switchedBy: string | null }

/** Every setting of a tree, in the order in which it is written. */
export function listSettings(tree: SettingTree, switchedBy: string | null = null): ListedSetting[] {
  return Object.values(tree).flatMap((node) => {
    if (isSetting(node) || isPerPlatform(node)) return [{ setting: node, switchedBy }]
    if (!isOptional(node)) return listSettings(node, switchedBy)
    const { when, fields } = node
    const own = fields[when]
    return listSettings(fields, own && isSetting(own) ? own.name : switchedBy)
  })
}
