import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright/test'

/** What axe finds wrong, on the whole page or in the parts that match `part`: each rule with the HTML that breaks it. */
export async function findViolations(page: Page, part = 'html'): Promise<string[]> {
  // "Legacy" is without a second window for each run, which only frames of other origins need. The dashboard has no frames.
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .include(part)
  const { violations } = await axe.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
