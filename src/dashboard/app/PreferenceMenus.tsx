import { Button } from '../ui/Button'
import type { IconName } from '../ui/Icon'
import { IconButton } from '../ui/IconButton'
import { Menu, MenuHeading, MenuItem, MenuLine } from '../ui/Menu'
import { moreIcons } from '../ui/more-icons'
import { useAllPreferences } from './preferences-context'
import { densities, localZoneName, themes, zones } from './preference-choices'

/** Time zone, theme and density: a menu for each, or one menu for all on a narrow screen. */
export function PreferenceMenus({ onHelp }: { onHelp: () => void }) {
  const [{ zone, theme, density }, change] = useAllPreferences()
  const themeIcon: IconName = theme === 'light' ? moreIcons.sun : theme === 'dark' ? moreIcons.moon : moreIcons.monitor

  const zoneItems = zones.map(({ value, label }) => (
    <MenuItem
      key={value}
      isChecked={zone === value}
      aside={value === 'local' ? localZoneName() : undefined}
      onSelect={() => change({ zone: value })}
    >
      {label}
    </MenuItem>
  ))
  const themeItems = themes.map(({ value, label }) => (
    <MenuItem key={value} isChecked={theme === value} onSelect={() => change({ theme: value })}>
      {label}
    </MenuItem>
  ))
  const densityItems = densities.map(({ value, label }) => (
    <MenuItem key={value} isChecked={density === value} onSelect={() => change({ density: value })}>
      {label}
    </MenuItem>
  ))

  return (
    <>
      <div className="flex items-center gap-0.5 max-sm:hidden">
        <Menu
          label="Time zone"
          align="end"
          renderTrigger={(trigger) => (
            <Button {...trigger} variant="quiet" icon="clock" aria-label={`Time zone: ${zone === 'utc' ? 'UTC' : 'local'}`}>
              {zone === 'utc' ? 'UTC' : 'Local'}
            </Button>
          )}
        >
          {zoneItems}
        </Menu>
        <Menu
          label="Theme"
          align="end"
          renderTrigger={(trigger) => <IconButton {...trigger} icon={themeIcon} label={`Theme: ${theme}`} />}
        >
          {themeItems}
        </Menu>
        <Menu
          label="Density"
          align="end"
          renderTrigger={(trigger) => <IconButton {...trigger} icon={moreIcons.density} label={`Density: ${density}`} />}
        >
          {densityItems}
        </Menu>
      </div>
      <div className="sm:hidden">
        <Menu
          label="Settings"
          align="end"
          renderTrigger={(trigger) => <IconButton {...trigger} icon={moreIcons.dots} label="Settings" />}
        >
          <MenuHeading>Time zone</MenuHeading>
          {zoneItems}
          <MenuLine />
          <MenuHeading>Theme</MenuHeading>
          {themeItems}
          <MenuLine />
          <MenuHeading>Density</MenuHeading>
          {densityItems}
          <MenuLine />
          <MenuItem icon={moreIcons.help} onSelect={onHelp}>
            Keyboard help
          </MenuItem>
        </Menu>
      </div>
    </>
  )
}
