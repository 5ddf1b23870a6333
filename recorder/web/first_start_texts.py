"""The words of the page on which a device's passwords are chosen, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

FIRST_START: Mapping[str, tuple[str, str]] = {
    "title": ("First start", "首次启动"),
    "explain": (
        "The code stands in the terminal or journal of this device, and nowhere else. Choose a"
        " password for each role; whoever has one may do what the roles before it may.",
        "设置码仅显示在本设备的终端或系统日志中。请为每个角色设置密码；后面的角色可执行前面角色的全部操作。",
    ),
    "code": ("Set-up code", "设置码"),
    "operator": ("Password of the operator", "操作员密码"),
    "referee": ("Password of the referee", "裁判密码"),
    "chief": ("Password of the chief referee", "裁判长密码"),
    "save": ("Save", "保存"),
    "wrong_code": ("That is not the code, or it was used already.", "设置码不正确或已被使用。"),
    "too_short": ("Passwords need at least {0} characters.", "密码至少需要 {0} 个字符。"),
    "alike": ("Each role needs a password of its own.", "各角色的密码不能相同。"),
    "wait": ("Too many attempts. Try again in {0} s.", "尝试次数过多，请 {0} 秒后再试。"),
    "origin": ("The request came from another page.", "请求来自其他页面。"),
    "language": ("Language", "语言"),
}
"""English and Chinese by key; {0} is filled in."""
