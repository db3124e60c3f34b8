"""Sentences that have nothing to do with one another: what two unrelated memories look like to an encoder.

Written for this purpose; each list ranges over subjects that people and agents keep notes on.
"""

from __future__ import annotations

from typing import Final

ENGLISH: Final = (
    "The nightly backup is kept for thirty days.",
    "Buttons in the settings page use the rounded style.",
    "Kim answers questions about payroll exports.",
    "Run the linter before you push a branch.",
    "Images are resized to 1200 pixels in the upload worker.",
    "The office in Porto is closed on the first Friday of May.",
    "Parsing failed because the file began with a byte order mark.",
    "Customers may cancel an order until it has been packed.",
    "Prefer small functions with one return value.",
    "The message queue listens on port 5671.",
    "Our invoice numbers start again every January.",
    "Translate error texts before a release, never after it.",
    "Sensor readings older than a week are averaged by the hour.",
    "She wants answers in short paragraphs without headings.",
    "Memory use doubled after the cache was switched on.",
    "A licence header belongs at the top of every source file.",
    "The mobile app still supports phones from 2019.",
    "Docker images are built on the arm64 machine.",
    "Feature names are written in the present tense.",
    "The chess club borrowed the projector.",
    "Search results are sorted by date unless a filter is set.",
    "Retry a failed payment no more than twice.",
    "The team decided against a monorepo in March.",
    "Use tabs in Makefiles and spaces elsewhere.",
)
CHINESE: Final = (
    "夜间备份保留三十天。",
    "设置页面的按钮统一用圆角样式。",
    "工资导出的问题找小金。",
    "推送分支之前先跑一遍代码检查。",
    "上传的图片会在后台压缩到一千二百像素。",
    "五月的第一个星期五波尔图办公室不上班。",
    "文件开头有字节顺序标记，所以解析失败。",
    "订单打包之前客户都可以取消。",
    "函数要短，只返回一个值。",
    "消息队列监听 5671 端口。",
    "发票编号每年一月重新开始。",
    "错误提示要在发版之前翻译好。",
    "超过一周的传感器读数按小时取平均。",
    "她希望回答分成短段落，不要标题。",
    "打开缓存以后内存占用翻了一倍。",
    "每个源文件开头都要写许可声明。",
    "手机应用仍然支持二〇一九年的机型。",
    "镜像在 arm64 机器上构建。",
    "功能名称一律用动词开头。",
    "象棋社把投影仪借走了。",
    "没有筛选条件时搜索结果按日期排序。",
    "付款失败最多重试两次。",
    "三月份团队决定不采用单一仓库。",
    "Makefile 里用制表符，其他地方用空格。",
)
