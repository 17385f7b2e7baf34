const words = (title, loading, done) => ({ title, loading, done })

/** Words for people, in both languages. */
export const messages = {
  task_list: {
    en: words("Tasks", "Listing tasks", "Tasks listed"),
    "zh-CN": words("任务列表", "正在列出任务", "已列出任务"),
  },
  task_create: {
    en: words("Create a task", "Creating a task", "Task created"),
    "zh-CN": words("创建任务", "正在创建任务", "任务已创建"),
  },
  tasks_create: {
    en: words("Create tasks", "Creating tasks", "Tasks created"),
    "zh-CN": words("批量创建任务", "正在批量创建任务", "任务已批量创建"),
  },
  task_update: {
    en: words("Change a task", "Changing a task", "Task changed"),
    "zh-CN": words("修改任务", "正在修改任务", "任务已修改"),
  },
  tasks_update: {
    en: words("Change tasks", "Changing tasks", "Tasks changed"),
    "zh-CN": words("批量修改任务", "正在批量修改任务", "任务已批量修改"),
  },
  task_delete: {
    en: words("Delete a task", "Deleting a task", "Task deleted"),
    "zh-CN": words("删除任务", "正在删除任务", "任务已删除"),
  },
}
